// One function between its callers and its callees, and the list to choose it from.

const LINE = 20;

// A list of which only what is seen is in the document. fill(element, item) writes an item.
class Lines {
  constructor(parent, name, fill, pick) {
    this.box = put(parent, 'div', 'lines');
    this.space = put(this.box, 'div', 'lines-space');
    this.items = [];
    this.fill = fill;
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'listbox');
    this.box.setAttribute('aria-label', name);
    this.box.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('click', (event) => {
      const line = event.target.closest('.line');
      if (line) pick(this.items[line.dataset.at]);
    });
  }

  show(items, chosen) {
    const place = items.indexOf(chosen);
    const isNew = chosen !== this.chosen || items !== this.items;
    Object.assign(this, { items, chosen });
    this.space.style.height = items.length * LINE + 'px';
    const above = place * LINE;
    if (isNew && place >= 0 && (above < this.box.scrollTop || above + LINE > this.box.scrollTop + this.box.clientHeight))
      this.box.scrollTop = above - this.box.clientHeight / 2;
    this.draw();
  }

  draw() {
    const first = Math.floor(this.box.scrollTop / LINE);
    const last = Math.min(this.items.length, first + Math.ceil(this.box.clientHeight / LINE) + 1);
    this.space.replaceChildren();
    for (let at = first; at < last; at++) {
      const line = put(this.space, 'div', 'line');
      line.dataset.at = at;
      line.style.top = at * LINE + 'px';
      line.setAttribute('role', 'option');
      line.setAttribute('aria-selected', this.items[at] === this.chosen);
      this.fill(line, this.items[at]);
    }
  }
}

class SandwichView {
  constructor(page) {
    Object.assign(this, { page, name: 'sandwich', title: 'Sandwich', key: '2', sort: 'cum' });
    this.panel = document.createElement('section');
    this.panel.className = 'view-sandwich';
    this.makeList(put(this.panel, 'div', 'functions'));
    const panes = put(this.panel, 'div', 'panes');
    const pick = (pane) => (node) => this.pick(pane().tree.row(node));
    this.callers = new Pane(page, panes, 'Callers', pick(() => this.callers));
    this.callees = new Pane(page, panes, 'Callees', pick(() => this.callees));
  }

  makeList(parent) {
    this.filter = put(parent, 'input', 'filter');
    this.filter.type = 'search';
    this.filter.placeholder = 'Functions that match';
    this.filter.setAttribute('aria-label', this.filter.placeholder);
    this.filter.addEventListener('input', () => this.update());
    const head = put(parent, 'div', 'line lines-head');
    this.heads = ['cum', 'flat'].map((name) => {
      const button = put(head, 'button');
      button.textContent = name === 'flat' ? 'self' : name;
      button.addEventListener('click', () => {
        this.sort = name;
        this.update();
      });
      return { name, button };
    });
    this.list = new Lines(parent, 'Functions', (line, row) => this.fill(line, row), (row) => this.pick(row));
  }

  fill(line, row) {
    const { page, sums } = this;
    for (const column of [sums.cum, sums.flat])
      put(line, 'span').textContent = column[1] ? page.change(column[1][row], column[0][row]) : page.value(column[0][row]);
    put(line, 'span').textContent = line.title = page.model.name(this.names, row);
  }

  // Rows that have something, as the list shows them.
  order() {
    const { profile } = this.page;
    const [now, base] = this.sums[this.sort];
    const hits = this.filter.value ? matchRows(profile, this.filter.value) : null;
    const weight = base ? now.map((value, i) => Math.abs(value - base[i])) : now.map(Math.abs);
    const rows = [];
    const has = (sides) => sides.some((column) => column[rows.at] !== 0);
    for (rows.at = 0; rows.at < profile.nRows; rows.at++)
      if ((!hits || hits[rows.at]) && (has(this.sums.cum) || has(this.sums.flat))) rows.push(rows.at);
    return rows.sort((a, b) => weight[b] - weight[a] || (profile.label(a) < profile.label(b) ? -1 : 1));
  }

  get row() {
    const { row } = this.page.state;
    return row >= 0 && row < this.page.profile.nRows ? row : this.list.items[0] ?? -1;
  }

  update() {
    const { model, state } = this.page;
    this.sums = model.rows(state);
    this.names = { row: (row) => row };
    for (const { name, button } of this.heads) button.setAttribute('aria-pressed', name === this.sort);
    this.list.items = this.order();
    this.list.show(this.list.items, this.row);
    if (this.row < 0) return;
    const hits = state.search ? model.hits(state) : null;
    this.callers.show(model.tree(state, { row: this.row, callers: true }), { flip: true, hits });
    this.callees.show(model.tree(state, { row: this.row }), { hits });
  }

  pick(row) {
    if (row >= 0 && row < this.page.profile.nRows) this.page.set({ row });
  }

  onKey(event) {
    const pane = [this.callers, this.callees].find(({ canvas }) => canvas === document.activeElement);
    if (pane) {
      if (event.key !== 'Enter') return pane.onKey(event);
      if (pane.focus >= 0) this.pick(pane.tree.row(pane.focus));
      return true;
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = step && this.list.items[this.list.items.indexOf(this.row) + step];
    if (row >= 0) this.page.set({ row }, { replace: true });
    return Boolean(step);
  }
}
