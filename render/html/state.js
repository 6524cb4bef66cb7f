// What is shown, and how it is written in the link.

const FILTERS = ['focus', 'ignore', 'hide'];
const CHOICES = {
  scale: ['absolute', 'normalised'],
  layout: ['icicle', 'flame', 'inverted'],
  theme: ['', 'light', 'dark'],
};

// order: of the filters, by kind, as they were put on.
function freshState(profile) {
  return {
    view: 'flame', type: profile.head.type, unit: '', scale: 'absolute', layout: 'icicle', focus: [], ignore: [], hide: [],
    search: '', zoom: '', row: -1, sort: 'flat', up: false, all: false, theme: '', order: [],
  };
}

function readValue(text, kind) {
  if (kind === 'number') return Number(text);
  return kind === 'boolean' ? text === '1' : text;
}

function readLink(link, profile) {
  const state = freshState(profile);
  for (const [name, text] of new URLSearchParams(link.replace(/^#/, ''))) {
    if (FILTERS.includes(name)) {
      state[name].push(text);
      state.order.push(name);
    } else if (Object.hasOwn(state, name) && name !== 'order') state[name] = readValue(text, typeof state[name]);
  }
  return state;
}

// The filters in the order in which they were put on: kind, text, and its place among its kind.
function listFilters(state) {
  const places = {};
  return state.order.map((kind) => {
    const place = (places[kind] = (places[kind] ?? -1) + 1);
    return { kind, text: state[kind][place], place };
  });
}

function writeLink(state, profile) {
  const fresh = freshState(profile);
  const link = new URLSearchParams();
  for (const name in fresh)
    if (!Array.isArray(fresh[name]) && state[name] !== fresh[name])
      link.append(name, state[name] === true ? '1' : state[name]);
  for (const { kind, text } of listFilters(state)) link.append(kind, text);
  return '#' + link;
}

// As many of each kind as there are filters of it.
function fitOrder(state) {
  for (const kind of FILTERS) {
    const places = state.order.flatMap((name, i) => (name === kind ? [i] : []));
    while (places.length > state[kind].length) state.order.splice(places.pop(), 1);
    for (let n = places.length; n < state[kind].length; n++) state.order.push(kind);
  }
}

// A link may say anything; what does not exist becomes what it is at first.
function checkState(state, page) {
  const { profile } = page;
  const fresh = freshState(profile);
  const keep = (name, isGood) => {
    if (!isGood) state[name] = fresh[name];
  };
  for (const name in CHOICES) keep(name, CHOICES[name].includes(state[name]));
  keep('view', page.views.some(({ name }) => name === state.view));
  keep('type', Number.isInteger(state.type) && state.type in profile.head.types);
  keep('unit', page.units(state.type).includes(state.unit));
  keep('row', Number.isInteger(state.row) && state.row >= 0 && state.row < profile.nRows);
  keep('scale', profile.head.sets > 1);
  keep('sort', topColumns(profile.head.sets > 1).some(({ name }) => name === state.sort));
  fitOrder(state);
}

function withoutLastFilter(state) {
  const kind = state.order[state.order.length - 1];
  return kind ? { order: state.order.slice(0, -1), [kind]: state[kind].slice(0, -1) } : {};
}

function withoutFilter(state, { kind, place }) {
  let seen = -1;
  return {
    order: state.order.filter((name) => name !== kind || ++seen !== place),
    [kind]: state[kind].filter((_, i) => i !== place),
  };
}

// ---- the theme is kept, where the browser lets a file do that ----

const THEME_KEY = 'pprof-theme';

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY) ?? '';
  } catch {
    return '';
  }
}

function storeTheme(theme) {
  try {
    if (theme) localStorage.setItem(THEME_KEY, theme);
    else localStorage.removeItem(THEME_KEY);
  } catch {
    return;
  }
}
