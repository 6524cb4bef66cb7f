// The page: what is shown, and what the hands do.

const KEYS = [
  ['1 to 6', 'flame, sandwich, top, graph, source, info'],
  ['arrows', 'parent, child, sibling; rows of a table; the graph moves'],
  ['Enter', 'zooms into the frame; opens a row in the sandwich'],
  ['0', 'resets zoom'],
  ['+ -', 'zoom the graph; so does the wheel'],
  ['Backspace', 'goes back'],
  ['/', 'searches'],
  ['f x h', 'focus on, ignore, hide what is chosen, or else what is searched'],
  ['u', 'undoes the last filter'],
  ['s', 'sandwich of what is chosen'],
  ['i', 'icicle, flame, inverted'],
  ['t', 'theme'],
  ['Escape', 'closes, clears the search'],
  ['?', 'this help'],
];

// An element with properties and text.
function make(parent, name, classes, text = '', properties = {}) {
  const element = Object.assign(document.createElement(name), { className: classes, textContent: text }, properties);
  parent?.append(element);
  return element;
}

function quotePattern(text) {
  return '^' + text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$';
}

class Page {
  constructor(profile) {
    Object.assign(this, { profile, model: new Model(profile), root: document.documentElement, depth: 0 });
    this.value = this.value.bind(this);
    this.percent = this.percent.bind(this);
    this.build();
    this.state = readLink(location.hash, profile);
    this.state.theme ||= storedTheme();
    checkState(this.state, this);
    this.depth = history.state?.depth ?? 0;
    this.listen();
    this.show();
  }

  // ---- values ----

  get type() { return this.profile.head.types[this.state.type]; }

  // What tables show, by row: flat and cum (of a difference the changes), base and new, and whether a terminal shows it.
  sums(state = this.state) {
    return this.model.keep('sums', this.model.key(state), () => {
      const { flat, cum } = this.model.rows(state);
      const change = ([now, base]) => (base ? now.map((value, i) => value - base[i]) : now);
      const sums = { flat: change(flat), cum: change(cum), base: cum[1], new: cum[0] };
      return Object.assign(sums, { shown: this.shownRows(sums, this.model.calls(state)) });
    });
  }

  // Rows whose samples have values, which are not too small a part of the total.
  shownRows({ flat, cum }, tree) {
    const { nRows, head } = this.profile;
    const cut = Math.trunc(Math.abs(flat.reduce((sum, value) => sum + value, 0)) * head.node_fraction);
    const { scene: { n }, self: { now, base } } = tree;
    const has = new Uint8Array(n + 1);
    const rows = Uint8Array.from(cum, (value, row) => (value || flat[row] ? 1 : 0));
    for (let node = n; node > 0; node--) {
      if (base ? now[node] !== base[node] : now[node]) has[node] = 1;
      if (!has[node]) continue;
      has[tree.parent(node)] = 1;
      if (tree.row(node) < nRows) rows[tree.row(node)] = 1;
    }
    return rows.map((is, row) => (is && Math.abs(cum[row]) >= cut ? 1 : 0));
  }

  style(type = this.state.type) {
    const state = { ...this.state, type };
    const { unit, divisor } = this.profile.head.types[type];
    const wanted = this.state.unit || this.profile.head.shown_unit;
    return this.model.keep('style', this.model.key(state) + wanted, () => {
      const { flat, cum, shown } = this.sums(state);
      let smallest = 0;
      shown.forEach((is, row) => {
        const value = is ? Math.abs(flat[row] || cum[row]) : 0;
        if (value && (!smallest || value < smallest)) smallest = value;
      });
      return chooseStyle(wanted, unit, divisor, smallest);
    });
  }

  // Names for the unit picker: as the terminal has it, by the total, the family's.
  units(type) {
    return ['', 'auto', ...(findUnit(this.profile.head.types[type].unit)?.units.map(([name]) => name) ?? [])];
  }

  value(value, type) { return valueText(this.style(type), value); }
  percent(value) { return percentText(value, this.type.divisor); }
  change(base, now) { return changeText(this.style(), base, now); }

  // What a row has, in words.
  describe(row) {
    const { flat, cum } = this.sums();
    return `${this.profile.label(row)}, flat ${this.value(flat[row])} (${this.percent(flat[row])}), ` +
      `cum ${this.value(cum[row])} (${this.percent(cum[row])})`;
  }

  colours() {
    const style = getComputedStyle(this.root);
    const names = ['text', 'back', 'border', 'accent', 'more', 'less', 'same'];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  }

  // ---- state ----

  set(changes, { replace = false } = {}) {
    Object.assign(this.state, changes);
    checkState(this.state, this);
    const link = writeLink(this.state, this.profile);
    if (link !== (location.hash || '#')) {
      if (!replace) this.depth++;
      history[replace ? 'replaceState' : 'pushState']({ depth: this.depth }, '', link);
    }
    this.show();
  }

  back() {
    if (this.depth) history.back();
  }

  // The browser went to another link.
  follow(event) {
    const { theme } = this.state;
    this.depth = event.state?.depth ?? 0;
    this.state = Object.assign(readLink(location.hash, this.profile), { theme });
    checkState(this.state, this);
    this.show();
  }

  get view() { return this.views.find(({ name }) => name === this.state.view); }

  // ---- what is around the views ----

  build() {
    const { body } = document;
    const main = document.querySelector('main');
    this.root.classList.add('js');
    this.header = make(null, 'header', 'head');
    main.before(this.header);
    this.makeViews(main);
    make(this.header, 'h1', '', this.profile.head.program || 'profile');
    this.total = make(this.header, 'span', 'total');
    this.makeTabs();
    this.themeButton = this.button(this.header, '', 'Theme (t)', () => this.nextTheme());
    this.button(this.header, '?', 'Keys (?)', () => this.help.showModal());
    this.makeTools(make(null, 'div', 'tools'));
    this.chips = make(null, 'div', 'chips', '', { hidden: true });
    main.before(this.tools, this.chips);
    this.status = make(null, 'output', 'status');
    this.status.setAttribute('aria-live', 'polite');
    this.say('? shows the keys');
    main.after(this.status);
    this.help = this.makeHelp(body);
  }

  makeViews(main) {
    const section = (id) => document.getElementById(id);
    this.views = [new FlameView(this), new SandwichView(this), new TopView(this)];
    if (section('graph')) this.views.push(new GraphView(this, section('graph')));
    if (section('source')) this.views.push(new SectionView(this, section('source'), 'Source', '5'));
    if (section('info')) this.views.push(new SectionView(this, section('info'), 'Info', '6'));
    for (const { name, title, panel } of this.views) {
      panel.id ||= name;
      panel.classList.add('panel');
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', title);
      panel.dataset.view = name;
      main.append(panel);
    }
    main.append(section('summary')); // it is printed behind the view
  }

  makeTabs() {
    const list = make(this.header, 'div', 'tabs');
    list.setAttribute('role', 'tablist');
    for (const view of this.views) {
      view.tab = this.button(list, view.title, `${view.title} (${view.key})`, () => this.set({ view: view.name }));
      view.tab.setAttribute('role', 'tab');
      view.tab.setAttribute('aria-controls', view.panel.id);
    }
    list.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const n = this.views.length;
      const next = this.views[(this.views.indexOf(this.view) + step + n) % n];
      this.set({ view: next.name });
      next.tab.focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  button(parent, text, title, onClick) {
    const button = make(parent, 'button', '', text, { type: 'button', title });
    button.addEventListener('click', ({ detail }) => {
      if (detail) button.blur(); // the keys of a mouse's hand are the view's
      onClick();
    });
    return button;
  }

  // choices: value and text of each.
  select(name, title, choices) {
    const label = make(this.tools, 'label', '', title + ' ');
    const select = make(label, 'select', '', '', { name });
    this.fill(select, choices);
    select.addEventListener('pointerdown', () => (select.byMouse = true));
    select.addEventListener('keydown', () => (select.byMouse = false));
    select.addEventListener('change', () => {
      if (select.byMouse) select.blur();
      this.set({ [name]: name === 'type' ? Number(select.value) : select.value });
    });
    return select;
  }

  fill(select, choices) {
    select.replaceChildren(...choices.map(([value, text]) => make(null, 'option', '', text, { value })));
  }

  makeTools(tools) {
    const { types, sets } = this.profile.head;
    this.tools = tools;
    this.selects = [
      this.select('type', 'Type', types.map(({ name }, i) => [i, name])),
      this.select('unit', 'Unit', []),
      this.select('layout', 'Layout', CHOICES.layout.map((name) => [name, name])),
    ];
    if (sets > 1) this.selects.push(this.select('scale', 'Scale', CHOICES.scale.map((name) => [name, name])));
    this.search = make(tools, 'input', 'search', '', { type: 'search', placeholder: 'Search  /', spellcheck: false });
    this.search.setAttribute('aria-label', 'Search');
    this.search.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.searchFor(this.search.value), 150);
    });
    for (const [kind, key] of [['focus', 'f'], ['ignore', 'x'], ['hide', 'h']])
      this.button(tools, kind[0].toUpperCase() + kind.slice(1), `${kind} what is searched, or else what is chosen (${key})`,
        () => this.filter(kind, this.state.search || this.chosenPattern()));
    this.undo = this.button(tools, 'Undo', 'Undo the last filter (u)', () => this.set(withoutLastFilter(this.state)));
    this.found = make(tools, 'span', 'found');
  }

  makeHelp(body) {
    const dialog = make(body, 'dialog', 'help');
    dialog.setAttribute('aria-label', 'Keys');
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
    const { state, root, views, view } = this;
    if (state.theme) root.dataset.theme = state.theme;
    else delete root.dataset.theme;
    for (const { name, panel, tab } of views) {
      panel.hidden = name !== state.view;
      tab.setAttribute('aria-selected', name === state.view);
      tab.tabIndex = name === state.view ? 0 : -1;
    }
    this.showTools();
    this.showTotal();
    this.showChips();
    this.showFound();
    view.update();
    root.dataset.ready = '1';
  }

  showTools() {
    const { state } = this;
    const names = { '': 'as in --top' };
    this.fill(this.selects[1], this.units(state.type).map((unit) => [unit, names[unit] ?? unit]));
    for (const select of this.selects) select.value = state[select.name];
    this.selects[2].parentElement.hidden = state.view !== 'flame';
    if (document.activeElement !== this.search) this.search.value = state.search;
    this.themeButton.textContent = 'Theme: ' + (state.theme || 'system');
  }

  showTotal() {
    const { now, base } = this.model.total(this.state);
    const { name } = this.type;
    const note = this.state.scale === 'normalised' ? ' (scaled)' : '';
    this.total.textContent = this.profile.head.sets > 1
      ? `${name}: ${this.value(base)}${note} \u2192 ${this.value(now)}  ${this.change(base, now)}`
      : `${name}: ${this.value(now)}` + (this.state.order.length ? `, ${this.percent(now)} of the total` : '');
  }

  showChips() {
    const filters = listFilters(this.state);
    this.chips.hidden = this.undo.hidden = !filters.length;
    this.chips.replaceChildren(...filters.map((filter) => {
      const title = `Remove: ${filter.kind} ${filter.text}`;
      const chip = this.button(null, '', title, () => this.set(withoutFilter(this.state, filter)));
      make(chip, 'b', '', filter.kind);
      make(chip, 'span', '', filter.text);
      make(chip, 'i', '', '\u00d7');
      return chip;
    }));
  }

  showFound() {
    const { state, model } = this;
    this.found.hidden = !state.search;
    if (!state.search) return;
    const { total, base, rows } = model.search(state);
    const sum = this.profile.head.sets > 1 ? this.change(base, total) : `${this.value(total)} (${this.percent(total)})`;
    this.found.textContent = `${rows} ${rows === 1 ? 'match' : 'matches'}: ${sum}`;
  }

  say(text) {
    this.status.textContent = this.status.title = text;
  }

  // ---- hands ----

  chosenPattern() {
    const { row } = this.view;
    return row >= 0 ? quotePattern(this.profile.label(row)) : '';
  }

  // A search that becomes a filter is none any more: it would mark all that is left, or nothing.
  filter(kind, pattern) {
    const { state } = this;
    if (!pattern) this.say(`Choose a frame or a row, or search, for ${kind}.`);
    else if (!state[kind].includes(pattern))
      this.set({ [kind]: [...state[kind], pattern], search: pattern === state.search ? '' : state.search });
  }

  openSandwich() {
    const { row } = this.view;
    if (row >= 0) this.set({ view: 'sandwich', row });
    else this.say('Choose a frame or a row for the sandwich.');
  }

  next(name) {
    const choices = CHOICES[name];
    return { [name]: choices[(choices.indexOf(this.state[name]) + 1) % choices.length] };
  }

  nextTheme() {
    this.set(this.next('theme'), { replace: true });
    storeTheme(this.state.theme);
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
    if (key !== 'Escape' && target.closest?.('input, select, textarea')) return;
    if (target.closest?.('button, a') && (key === 'Enter' || key === ' ')) return;
    if (this.view.onKey(event) || this.onPageKey(key)) event.preventDefault();
  }

  onPageKey(key) {
    const filter = (kind) => this.filter(kind, this.chosenPattern() || this.state.search);
    const hands = {
      '/': () => this.search.select(), f: () => filter('focus'), x: () => filter('ignore'), h: () => filter('hide'),
      u: () => this.set(withoutLastFilter(this.state)), s: () => this.openSandwich(), t: () => this.nextTheme(),
      i: () => this.set(this.next('layout')), '?': () => this.help.showModal(), Backspace: () => this.back(),
      Escape: () => this.clear(),
    };
    for (const { key: number, name } of this.views) hands[number] = () => this.set({ view: name });
    if (!Object.hasOwn(hands, key)) return false;
    hands[key]();
    return true;
  }

  listen() {
    document.addEventListener('keydown', (event) => this.onKey(event));
    window.addEventListener('popstate', (event) => this.follow(event));
    const showAgain = () => this.isPrinting || this.show();
    window.addEventListener('resize', showAgain);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showAgain);
    // Paper is white, and has pictures as they were on the screen.
    window.addEventListener('beforeprint', () => {
      this.root.dataset.theme = 'light';
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
  const note = document.createElement('p');
  note.className = 'e';
  note.textContent = 'The views need a newer browser, or the file is damaged. What follows needs no script. (' + error.message + ')';
  document.body.prepend(note);
});
