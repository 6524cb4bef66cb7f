// The page: what is shown, and what the hands do.

const THEME_KEY = 'pprof-theme';

const KEYS = [
  ['1 to 7', 'flame, sandwich, top, graph, timeline, source, info'],
  ['arrows', 'parent, child, sibling; rows of a table; the graph moves'],
  ['Enter', 'or a double click: zooms into a frame; opens a row in the sandwich; shows a snapshot alone'],
  ['0', 'resets zoom; all snapshots'],
  ['Shift', 'and arrows: a range of snapshots'],
  ['+ -', 'zoom the graph; so does the wheel'],
  ['Backspace', 'goes back'],
  ['/', 'searches'],
  ['f x h', 'focus on, ignore, hide what is searched, or else what is chosen'],
  ['u', 'undoes the last filter'],
  ['s', 'sandwich of what is chosen'],
  ['i', 'icicle, flame, inverted'],
  ['t', 'theme'],
  ['Escape', 'closes, clears the search'],
  ['?', 'this help'],
];

// An element with properties and text.
function make(parent, name, classes = '', text = '', properties = {}) {
  const element = Object.assign(document.createElement(name), { className: classes, textContent: text }, properties);
  parent?.append(element);
  return element;
}

const after = (list, value) => list[(list.indexOf(value) + 1) % list.length];

class Page {
  constructor(profile) {
    Object.assign(this, { profile, model: new Model(profile) });
    this.value = this.value.bind(this);
    this.build();
    this.listen();
    this.follow();
  }

  // ---- values ----

  get type() { return this.profile.head.types[this.state.type]; }

  // What tables show, by row: flat and cum (of a difference the changes), base and new, and whether a terminal shows it.
  sums() {
    const { model, state } = this;
    return model.keep('sums', model.key(state), () => {
      const { flat, cum } = model.rows(state);
      const change = ([now, base]) => (base ? now.map((value, i) => this.settled(base[i], value) - base[i]) : now);
      const sums = { flat: change(flat), cum: change(cum), base: cum[1], now: cum[0] };
      return { ...sums, shown: this.shownRows(sums, model.calls(state)) };
    });
  }

  // Rows whose samples have values, which are not too small a part of the total.
  shownRows({ flat, cum }, tree) {
    const { nRows, head } = this.profile;
    const cut = Math.trunc(abs(flat.reduce((sum, value) => sum + value, 0)) * head.node_fraction);
    const { n, parent, row, selfNow: now, selfBase: base } = tree;
    const has = new Uint8Array(n);
    const rows = Uint8Array.from(cum, (value, i) => (value || flat[i] ? 1 : 0));
    for (let node = n - 1; node > 0; node--) {
      if (base ? now[node] !== base[node] : now[node]) has[node] = 1;
      if (!has[node]) continue;
      has[parent[node]] = 1;
      if (row[node] < nRows) rows[row[node]] = 1;
    }
    return rows.map((is, i) => (is && abs(cum[i]) >= cut ? 1 : 0));
  }

  findStyle() {
    const { flat, cum, shown } = this.sums();
    const sizes = flat.map((value, row) => (shown[row] && abs(value || cum[row])) || Infinity);
    const smallest = sizes.reduce((a, b) => min(a, b), Infinity);
    return chooseStyle(this.state.unit || this.type.shown_unit, this.type, this.divisor, smallest);
  }

  // What percentages are of.
  get divisor() { return this.model.divisor(this.state); }
  get isDifference() { return this.model.isDifference(this.state); }

  // A value alone is in the unit in which it reads best, where none is chosen.
  best(value) { return this.state.unit ? this.style : autoStyle(this.type, value); }
  value(value) { return valueText(this.best(value), value); }
  percent(value) { return percentText(value, this.divisor); }
  share(value) { return `${this.value(value)} (${this.percent(value)})`; }
  change(base, now) { return changeText(this.best(now - base), base, this.settled(base, now)); }
  settled(base, now) { return this.state.scale === 'absolute' ? now : settle(base, now); }

  colours() {
    const style = getComputedStyle(this.root);
    const names = ['text', 'back', 'accent', 'more', 'less', 'same'];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  }

  // ---- state ----

  set(changes, { replace = false } = {}) {
    this.state = checkState({ ...this.state, ...changes }, this);
    this.show();
    const link = writeLink(this.state, this.profile);
    if (link !== (location.hash || '#')) this.record(link, replace);
  }

  // An entry is true where there is one before it to go back to.
  record(link, replace) {
    try {
      if (replace) history.replaceState(history.state, '', link);
      else history.pushState(true, '', link);
    } catch {
      return; // so many at a time are too many for some browsers
    }
  }

  back() {
    if (history.state) history.back();
  }

  // The browser is at a link. The theme stays.
  follow() {
    const state = readLink(location.hash, this.profile);
    const theme = this.state?.theme ?? (state.theme || store((kept) => kept.getItem(THEME_KEY)));
    this.state = checkState({ ...state, theme }, this);
    this.show();
  }

  get view() { return this.views.find(({ name }) => name === this.state.view); }

  // Of lists in the tools: value and text of each choice.
  choices({ type, span }) {
    const { types } = this.profile.head;
    const named = (names) => names.map((name) => [name, name]);
    const units = new Set(['auto', ...types[type].units.map(([name]) => name || 'auto')]);
    return {
      type: types.map(({ name }, i) => [i, name]), unit: [['', 'as usual'], ...named([...units])], layout: named(LAYOUTS),
      scale: named('scaled_divisor' in types[type] && !span ? ['absolute', 'normalised'] : ['absolute']),
    };
  }

  // ---- what is around the views ----

  build() {
    const main = document.querySelector('main');
    this.root = document.documentElement;
    this.root.classList.add('js');
    this.header = make(null, 'header', 'head');
    this.tools = make(null, 'div', 'tools');
    this.chips = make(null, 'div', 'chips');
    this.status = make(null, 'output', 'status', '? shows the keys', { ariaLive: 'polite' });
    main.before(this.header, this.tools, this.chips);
    main.after(this.status);
    this.makeViews(main);
    make(this.header, 'h1', '', this.profile.head.program || 'profile');
    this.total = make(this.header, 'span', 'total');
    this.makeTabs();
    this.themeButton = this.button(this.header, '', 'Theme (t)', () => this.nextTheme());
    this.button(this.header, '?', 'Keys (?)', () => this.help.showModal());
    this.makeTools();
    this.help = this.makeHelp();
  }

  makeViews(main) {
    const [graph, source, info] = ['graph', 'source', 'info'].map((id) => document.getElementById(id));
    this.views = [new FlameView(this), new SandwichView(this), new TopView(this), new GraphView(this, graph)];
    if (this.profile.snapshots) this.views.push(new TimelineView(this));
    if (source) this.views.push(new SectionView(this, source, 'Source', '6'));
    this.views.push(new SectionView(this, info, 'Info', '7'));
    for (const { name, title, panel } of this.views) {
      panel.classList.add('panel');
      panel.ariaLabel = title;
      panel.dataset.view = name;
      main.append(panel);
    }
    main.append(document.getElementById('summary')); // it is printed behind the view
  }

  makeTabs() {
    const bar = make(this.header, 'nav', 'tabs', '', { ariaLabel: 'Views' });
    for (const view of this.views)
      view.tab = this.button(bar, view.title, `${view.title} (${view.key})`, () => this.open(view));
  }

  // What is chosen stays so.
  open({ name }) {
    const { row } = this.view;
    this.set({ view: name, row: row < 0 ? this.state.row : row });
  }

  button(parent, text, title, onClick) {
    const button = make(parent, 'button', '', text, { type: 'button', title });
    button.addEventListener('click', () => {
      this.release(button);
      onClick();
    });
    return button;
  }

  // The keys behind a mouse's hand are the view's.
  release(element) {
    if (!element.matches(':focus-visible')) element.blur();
  }

  select(name) {
    const label = make(this.tools, 'label', '', name + ' ');
    const select = make(label, 'select', '', '', { name });
    select.addEventListener('change', () => {
      this.release(select);
      this.set({ [name]: name === 'type' ? Number(select.value) : select.value });
    });
    return select;
  }

  makeTools() {
    const { tools } = this;
    this.selects = ['type', 'unit', 'layout', 'scale'].map((name) => this.select(name));
    const look = { type: 'search', placeholder: 'Search  /', ariaLabel: 'Search', spellcheck: false };
    this.search = make(tools, 'input', 'search', '', look);
    this.search.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.searchFor(this.search.value), 150);
    });
    for (const [kind, key] of [['focus', 'f'], ['ignore', 'x'], ['hide', 'h']])
      this.button(tools, kind, `${kind} what is searched, or else what is chosen (${key})`, () => this.filter(kind));
    this.found = make(tools, 'span', 'found');
  }

  makeHelp() {
    const dialog = make(document.body, 'dialog', 'help', '', { ariaLabel: 'Keys' });
    make(dialog, 'h2', '', 'Keys');
    const list = make(dialog, 'dl');
    for (const [key, text] of KEYS) {
      make(make(list, 'dt'), 'kbd', '', key);
      make(list, 'dd', '', text);
    }
    this.button(dialog, 'Close', 'Escape', () => dialog.close()).autofocus = true;
    return dialog;
  }

  // ---- showing ----

  show() {
    const { state, views, view } = this;
    this.style = this.findStyle();
    this.paint(state.theme);
    for (const { name, panel, tab } of views) {
      panel.hidden = name !== state.view;
      tab.setAttribute('aria-current', name === state.view);
    }
    this.showTools();
    this.showTotal();
    this.showChips();
    this.showFound();
    view.update();
    this.root.dataset.ready = '1';
  }

  // What the style has for the dark is for the system's unless a theme is chosen.
  paint(theme) {
    const [dark] = document.styleSheets[0].cssRules;
    dark.media.mediaText = { light: 'not all', dark: 'all' }[theme] ?? '(prefers-color-scheme: dark)';
  }

  showTools() {
    const { state } = this;
    const choices = this.choices(state);
    for (const select of this.selects) {
      const { name } = select;
      select.replaceChildren(...choices[name].map(([value, text]) => make(null, 'option', '', text, { value })));
      select.value = state[name];
      select.parentElement.hidden = choices[name].length < 2 || (name === 'layout' && state.view !== 'flame');
    }
    if (document.activeElement !== this.search) this.search.value = state.search;
    this.themeButton.textContent = 'Theme: ' + (state.theme || 'system');
  }

  showTotal() {
    const { now, base } = this.model.total(this.state);
    const { name } = this.type;
    const note = this.state.scale === 'normalised' ? ' (scaled)' : '';
    this.total.textContent = this.isDifference
      ? `${name}: ${this.value(base)} \u2192 ${this.value(now)}${note}  ${this.change(base, now)}`
      : `${name}: ${this.value(now)}` + (this.state.filters.length ? `, ${this.percent(now)} of the total` : '');
  }

  // What is not all of the profile, each to be taken away.
  showChips() {
    const { span, filters } = this.state;
    this.chips.hidden = !filters.length && !span;
    const chip = (kind, text, changes) => {
      const button = this.button(null, '', `Remove: ${kind} ${text}`, () => this.set(changes));
      make(button, 'b', '', kind);
      make(button, 'span', '', text);
      make(button, 'i', '', '\u00d7');
      return button;
    };
    const spans = span ? [chip('snapshots', this.spanText(), { span: '' })] : [];
    const others = filters.map(({ kind, pattern }, i) => chip(kind, pattern, { filters: filters.filter((_, at) => at !== i) }));
    this.chips.replaceChildren(...spans, ...others);
    make(this.chips, 'em', '', this.chipsNote());
  }

  // Views of markup are as they were made, and what was folded has no names that could match.
  chipsNote() {
    const { view: { key }, state: { span, filters }, profile: { folded, snapshots } } = this;
    if (key === '5') return filters.length ? 'The timeline is of the whole profile.' : '';
    if (key > 3) return snapshots ? 'What changed from the first snapshot to the last is shown, of the whole profile.' : 'The whole profile is shown.';
    if (!folded.some((n) => n)) return '';
    return (filters.length ? 'Small nodes have no names to match. ' : '') + (span ? 'Percentages are near, for small nodes are one.' : '');
  }

  // The snapshots that are shown, by number and file.
  get span() { return this.state.span || `1-${this.profile.snapshots.length}`; }
  snapshot(number) { return `${number} ${baseName(this.profile.snapshots[number - 1].name)}`; }
  spanText() { return this.span.split('-').map((number) => this.snapshot(number)).join(' \u2192 '); }

  showFound() {
    const { state, model } = this;
    this.found.hidden = !state.search;
    if (!state.search) return;
    const { total, base, rows } = model.search(state);
    const sum = this.isDifference ? this.change(base, total) : this.share(total);
    this.found.textContent = `${rows} ${rows === 1 ? 'match' : 'matches'}: ${sum}`;
  }

  say(text) {
    this.status.textContent = this.status.title = text;
  }

  // ---- hands ----

  choose(row) {
    this.set({ row }, { replace: true });
    const { flat, cum } = this.sums();
    this.say(`${this.profile.label(row)}, flat ${this.share(flat[row])}, cum ${this.share(cum[row])}`);
  }

  filter(kind) {
    const { view: { row }, state: { search, filters } } = this;
    const pattern = search ? `(?i)${search}` : row >= 0 && `^${quote(this.profile.label(row))}$`;
    if (!pattern) this.say(`Choose a frame or a row, or search, for ${kind}.`);
    else if (!filters.some((other) => other.kind === kind && other.pattern === pattern))
      this.set({ filters: [...filters, { kind, pattern }] });
  }

  openSandwich() {
    const { row } = this.view;
    if (row >= 0) this.set({ view: 'sandwich', row });
    else this.say('Choose a frame or a row for the sandwich.');
  }

  nextTheme() {
    this.set({ theme: after(THEMES, this.state.theme) }, { replace: true });
    store((kept) => kept.setItem(THEME_KEY, this.state.theme));
  }

  clear() {
    document.activeElement.blur();
    this.say('');
    this.searchFor('');
  }

  searchFor(search) {
    clearTimeout(this.typing);
    this.set({ search }, { replace: true });
  }

  onKey(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (key === 'Enter' && target === this.search) {
      target.blur();
      this.searchFor(target.value);
    }
    if (key !== 'Escape' && target.closest?.('input, select')) return;
    if (target.closest?.('button') && (key === 'Enter' || key === ' ')) return;
    if (this.view.onKey(event) || this.onPageKey(key)) event.preventDefault();
  }

  onPageKey(key) {
    const { state, views } = this;
    const hands = {
      f: () => this.filter('focus'), x: () => this.filter('ignore'), h: () => this.filter('hide'),
      u: () => this.set({ filters: state.filters.slice(0, -1) }), i: () => this.set({ layout: after(LAYOUTS, state.layout) }),
      s: () => this.openSandwich(), t: () => this.nextTheme(), '/': () => this.search.select(),
      '?': () => this.help.showModal(), Backspace: () => this.back(), Escape: () => this.clear(),
    };
    for (const view of views) hands[view.key] = () => this.open(view);
    if (!Object.hasOwn(hands, key)) return false;
    hands[key]();
    return true;
  }

  listen() {
    document.addEventListener('keydown', (event) => this.onKey(event));
    window.addEventListener('popstate', () => this.follow());
    const showAgain = () => this.isPrinting || this.show();
    window.addEventListener('resize', showAgain);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showAgain);
    // Paper is white, and has pictures as they were on the screen.
    window.addEventListener('beforeprint', () => {
      this.paint('light');
      this.view.update();
      this.isPrinting = true;
    });
    window.addEventListener('afterprint', () => {
      this.isPrinting = false;
      this.show();
    });
  }
}

async function start() {
  window.pprofPage = new Page(await loadProfile(document.getElementById('data').textContent));
}

start().catch((error) => {
  document.documentElement.classList.remove('js');
  document.body.prepend(make(null, 'p', 'e', `The views need a newer browser, or the file is damaged. (${error.message})`));
});
