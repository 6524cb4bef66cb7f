// Top: all rows in a table of which only what is seen is in the document.

const ROW_HEIGHT = 22;

// by: what a column sorts by. A change is sorted by its size.
function topColumns(hasBase) {
  const sides = hasBase ? [{ name: 'base', by: 'base' }, { name: 'new', by: 'new' }] : [];
  return [
    { name: 'flat', by: 'flat' }, { name: 'flat%', by: 'flat' }, { name: 'sum%', by: 'flat' }, { name: 'cum', by: 'cum' },
    { name: 'cum%', by: 'cum' }, ...sides, { name: 'name', isText: true }, { name: 'object', isText: true },
  ];
}

const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

class TopView {
  constructor(page) {
    Object.assign(this, { page, name: 'top', title: 'Top', key: '3', rows: [] });
    this.columns = topColumns(page.profile.head.sets > 1);
    this.panel = make(null, 'section', 'view-top');
    this.box = put(this.panel, 'div', 'scroll');
    this.box.tabIndex = 0;
    this.table = put(this.box, 'table', page.profile.head.sets > 1 ? 'top sides' : 'top');
    this.makeHead(put(put(this.table, 'thead'), 'tr'));
    this.body = put(this.table, 'tbody');
    this.more = page.button(this.panel, '', '', () => page.set({ all: !page.state.all }, { replace: true }));
    this.more.className = 'more';
    this.box.addEventListener('scroll', () => this.draw());
    this.body.addEventListener('click', (event) => this.pick(event));
    this.body.addEventListener('dblclick', () => page.openSandwich());
  }

  makeHead(line) {
    for (const column of this.columns) {
      column.head = put(line, 'th', column.isText ? 'text' : column.name.endsWith('%') ? 'percent' : '');
      column.head.scope = 'col';
      const button = put(column.head, 'button');
      button.textContent = column.name;
      button.addEventListener('click', () => this.sortBy(column));
    }
  }

  sortBy({ name, isText }) {
    const { state } = this.page;
    this.page.set({ sort: name, up: state.sort === name ? !state.up : Boolean(isText) });
  }

  get row() { return this.page.state.row; }

  update() {
    const { page } = this;
    const { state } = page;
    this.sums = page.sums();
    const key = [this.sums, state.sort, state.up, state.search, state.all];
    if (!this.shown || key.some((part, i) => part !== this.shown[i])) this.order();
    this.shown = key;
    for (const column of this.columns) {
      const direction = state.up ? 'ascending' : 'descending';
      column.head.setAttribute('aria-sort', column.name === state.sort ? direction : 'none');
    }
    if (this.wasRow !== this.row) this.reveal();
    this.wasRow = this.row;
    this.draw();
  }

  // The rows of a terminal's table, or all that have values, or those that match what is searched; and what they have
  // together down to each.
  order() {
    const { profile, model, state } = this.page;
    const { flat, cum, base, shown } = this.sums;
    const hits = state.search ? model.hits(state) : null;
    const rows = [];
    this.nLeft = 0;
    for (let i = 0; i < profile.nRows; i++) {
      if (hits && !hits[i]) continue;
      if (shown[i] || ((state.all || hits) && (flat[i] || cum[i] || base?.[i]))) rows.push(i);
      else if (flat[i] || cum[i] || base?.[i]) this.nLeft++;
    }
    rows.sort(this.comparison());
    let sum = 0;
    this.running = rows.map((row) => (sum += flat[row]));
    this.rows = rows;
    this.table.setAttribute('aria-rowcount', rows.length + 1);
    this.box.scrollTop = 0;
    this.more.hidden = !(this.nLeft || (state.all && !hits));
    this.more.textContent = state.all ? 'Show less' : `Show ${this.nLeft} more that have less`;
  }

  comparison() {
    const { profile, state } = this.page;
    const column = this.columns.find(({ name }) => name === state.sort);
    const way = state.up ? 1 : -1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    const byName = (a, b) => compare(profile.label(a), profile.label(b));
    if (column.name === 'name') return (a, b) => way * byName(a, b) || a - b;
    if (column.isText) return (a, b) => way * compare(profile.object(a), profile.object(b)) || byName(a, b) || a - b;
    const key = this.sums[column.by].map(Math.abs);
    const other = this.sums[column.by === 'flat' ? 'cum' : 'flat'].map(Math.abs);
    return (a, b) => way * (key[a] - key[b]) || byName(a, b) || other[b] - other[a] || a - b;
  }

  // ---- what is seen ----

  reveal() {
    const { box } = this;
    const top = this.rows.indexOf(this.row) * ROW_HEIGHT;
    const room = box.clientHeight - 2 * ROW_HEIGHT;
    if (top >= 0 && (top < box.scrollTop || top > box.scrollTop + room))
      box.scrollTop = top < box.scrollTop ? top : top - room;
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - 5);
    const last = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 10);
    this.body.replaceChildren();
    this.addSpace(first);
    for (let at = first; at < last; at++) this.addRow(at);
    this.addSpace(this.rows.length - last);
    if (!this.rows.length) this.addNote(this.page.state.search ? 'No row matches the search.' : 'No row has a value here.');
  }

  addSpace(n) {
    if (n <= 0) return;
    const line = put(this.body, 'tr', 'space');
    line.setAttribute('aria-hidden', 'true');
    put(line, 'td').style.height = n * ROW_HEIGHT + 'px';
  }

  addNote(text) {
    const cell = put(put(this.body, 'tr'), 'td', 'text');
    cell.colSpan = this.columns.length;
    cell.textContent = text;
  }

  addRow(at) {
    const row = this.rows[at];
    const line = put(this.body, 'tr');
    line.dataset.at = at;
    line.setAttribute('aria-rowindex', at + 2);
    line.setAttribute('aria-selected', row === this.row);
    this.texts(at).forEach((text, i) => {
      const { isText, name } = this.columns[i];
      const cell = put(line, name === 'name' ? 'th' : 'td', isText ? 'text' : '');
      if (isText) cell.title = text;
      if (name !== 'name') cell.textContent = name === 'object' ? baseName(text) : text;
      else this.addName(cell, text);
    });
  }

  // Where there is no room for all of it, its end stays: that tells it from others.
  addName(cell, text) {
    const whole = put(cell, 'div', 'cut');
    const at = Math.max(0, text.length - 20);
    const start = at - /[\udc00-\udfff]/.test(text[at]);
    cell.scope = 'row';
    cell.ariaLabel = text;
    put(whole, 'span').textContent = text.slice(0, start);
    put(whole, 'span').textContent = text.slice(start);
  }

  texts(at) {
    const { page, sums, running } = this;
    const row = this.rows[at];
    const { value, percent } = page;
    const sides = sums.base ? [value(sums.base[row]), value(sums.new[row])] : [];
    return [
      value(sums.flat[row]), percent(sums.flat[row]), percent(running[at]), value(sums.cum[row]), percent(sums.cum[row]),
      ...sides, page.profile.label(row), page.profile.object(row),
    ];
  }

  // ---- hands ----

  pick(event) {
    const line = event.target.closest('tr[data-at]');
    if (line) this.choose(Number(line.dataset.at));
  }

  choose(at) {
    const row = this.rows[at];
    if (row === undefined) return;
    this.page.set({ row }, { replace: true });
    this.page.say(this.page.describe(row));
  }

  onKey({ key }) {
    const { rows, box } = this;
    const page = Math.max(1, Math.floor(box.clientHeight / ROW_HEIGHT) - 2);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -rows.length, End: rows.length }[key];
    if (step) {
      const at = rows.indexOf(this.row);
      this.choose(at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step)));
    } else if (key === 'Enter' && rows.includes(this.row)) this.page.openSandwich();
    else return false;
    return true;
  }
}
