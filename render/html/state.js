// What is shown, and how it is written in the link.

const KINDS = ['focus', 'ignore', 'hide'];
const THEMES = ['', 'light', 'dark'];
const LAYOUTS = ['icicle', 'flame', 'inverted'];

// filters: {kind, pattern}, in the order in which they were put on.
function freshState(profile) {
  return {
    view: profile.snapshots ? 'timeline' : 'flame', type: profile.head.type, span: '', unit: '', scale: 'absolute', layout: 'icicle',
    filters: [], search: '', zoom: '', row: -1, sort: 'flat', up: false, all: false, theme: '',
  };
}

// The text of a link as a value like another.
function readValue(text, like) {
  if (typeof like === 'number') return Number(text);
  return typeof like === 'boolean' ? text === 'true' : text;
}

function readLink(link, profile) {
  const { filters, ...state } = freshState(profile);
  for (const [name, text] of new URLSearchParams(link.slice(1))) {
    if (KINDS.includes(name) && text) filters.push({ kind: name, pattern: text });
    else if (Object.hasOwn(state, name)) state[name] = readValue(text, state[name]);
  }
  return { ...state, filters };
}

function writeLink({ filters, ...state }, profile) {
  const fresh = freshState(profile);
  const link = new URLSearchParams();
  for (const name in state) if (state[name] !== fresh[name]) link.append(name, state[name]);
  for (const { kind, pattern } of filters) link.append(kind, pattern);
  return '#' + link;
}

// '3' or '2-5', of so many snapshots; the difference from the first to the last is ''.
function isSpan(text, n) {
  const [, first, last] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(text) ?? [];
  return last ? Number(first) < last && last <= n && text !== `1-${n}` : first <= n;
}

// A link may say anything; what does not exist becomes what it is at first.
function checkState(state, page) {
  const { profile, views } = page;
  const fresh = freshState(profile);
  const keep = (name, isGood) => {
    if (!isGood) state[name] = fresh[name];
  };
  keep('type', state.type in profile.head.types);
  keep('span', isSpan(state.span, profile.snapshots?.length ?? 0));
  for (const [name, list] of Object.entries(page.choices(state))) keep(name, list.some(([value]) => value === state[name]));
  keep('theme', THEMES.includes(state.theme));
  keep('view', views.some(({ name }) => name === state.view));
  keep('row', Number.isInteger(state.row) && state.row >= 0 && state.row < profile.nRows);
  return state;
}

// Reads or writes what the browser keeps, where it lets a file do that.
function store(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}
