// Top: all rows in a table of which only what is seen is in the document.

const ROW_HEIGHT = 22;

// by: of which sums a column is. A change is sorted by its size.
function topColumns(hasBase) {
  const sums = ['flat', 'flat%', 'sum%', 'cum', 'cum%', ...(hasBase ? ['base cum', 'new cum'] : [])];
  return [
    ...sums.map((name) => ({ name, by: name === 'sum%' ? 'flat' : name.replace(/%| cum/, ''), isPercent: name.endsWith('%') })),
    { name: 'name', isText: true }, { name: 'object', isText: true },
  ];
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

class TopView {
  constructor(page, columns = topColumns(page.profile.head.sets > 1)) {
    Object.assign(this, { page, name: 'top', title: 'Top', key: '3', rows: [], columns });
    this.panel = make(null, 'section', 'view-top');
    this.box = make(this.panel, 'div', 'scroll', '', { tabIndex: 0, role: 'region', ariaLabel: 'Rows' });
    this.table = make(this.box, 'table', columns.length > 7 ? 'top sides' : 'top');
    this.makeHead(make(make(this.table, 'thead'), 'tr'));
    this.body = make(this.table, 'tbody');
    this.more = page.button(this.panel, '', '', () => page.set({ all: !page.state.all }, { replace: true }));
    this.more.className = 'more';
    this.box.addEventListener('scroll', () => this.draw());
    this.body.addEventListener('click', ({ target }) => this.choose(Number(target.closest('tr').dataset.at)));
    this.body.addEventListener('dblclick', () => page.openSandwich());
  }

  makeHead(line) {
    for (const column of this.columns) {
      column.head = make(line, 'th', column.isText ? 'text' : column.isPercent ? 'percent' : '', '', { scope: 'col' });
      this.page.button(column.head, column.name, '', () => this.sortBy(column));
    }
  }

  sortBy({ name, isText }) {
    const { state } = this.page;
    this.page.set({ sort: name, up: state.sort === name ? !state.up : Boolean(isText) });
  }

  get row() { return this.page.state.row; }

  update() {
    const { page, page: { state } } = this;
    this.sums = page.sums();
    const key = [this.sums, state.sort, state.up, state.search, state.all];
    if (!this.shown || key.some((part, i) => part !== this.shown[i])) this.order();
    this.shown = key;
    for (const { name, head } of this.columns)
      head.setAttribute('aria-sort', name !== state.sort ? 'none' : state.up ? 'ascending' : 'descending');
    if (this.wasRow !== this.row) this.reveal();
    this.wasRow = this.row;
    this.draw();
  }

  // The rows of a terminal's table, or all that have values, or those that match what is searched; and what they have
  // together down to each.
  order() {
    const { model, state } = this.page;
    const { flat, cum, base, shown } = this.sums;
    const hits = model.hits(state);
    const hasValue = (i) => shown[i] || flat[i] || cum[i] || base?.[i];
    const all = Array.from(flat.keys()).filter((i) => (!hits || hits[i]) && hasValue(i));
    this.rows = all.filter((i) => shown[i] || state.all || hits).sort(this.comparison());
    let sum = 0;
    this.running = this.rows.map((row) => (sum += flat[row]));
    this.table.ariaRowCount = this.rows.length + 1;
    this.box.scrollTop = 0;
    const nSmall = all.filter((i) => !shown[i]).length;
    this.more.hidden = hits || !nSmall;
    this.more.textContent = state.all ? 'Show less' : `Show ${nSmall} more that have less`;
  }

  comparison() {
    const { profile, state } = this.page;
    const { name, isText, by } = topColumns(true).find((column) => column.name === state.sort);
    const way = state.up ? 1 : -1;
    const byName = (a, b) => compare(profile.label(a), profile.label(b));
    if (name === 'name') return (a, b) => way * byName(a, b) || a - b;
    if (isText) return (a, b) => way * compare(profile.object(a), profile.object(b)) || byName(a, b) || a - b;
    const key = this.sums[by].map(Math.abs);
    const other = this.sums[by === 'flat' ? 'cum' : 'flat'].map(Math.abs);
    return (a, b) => way * (key[a] - key[b]) || byName(a, b) || other[b] - other[a] || a - b;
  }

  // ---- what is seen ----

  reveal() {
    const { box } = this;
    const top = this.rows.indexOf(this.row) * ROW_HEIGHT;
    const room = box.clientHeight - 2 * ROW_HEIGHT;
    if (top >= 0 && top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + room) box.scrollTop = top - room;
  }

  draw() {
    const { rows, box, body } = this;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - 5);
    const last = Math.min(rows.length, first + Math.ceil(box.clientHeight / ROW_HEIGHT) + 10);
    body.replaceChildren();
    this.addSpace(first);
    for (let at = first; at < last; at++) this.addRow(at);
    this.addSpace(rows.length - last);
    if (!rows.length) make(make(body, 'tr'), 'td', 'text', 'No row has a value here.', { colSpan: this.columns.length });
  }

  addSpace(n) {
    if (n > 0) make(make(this.body, 'tr', 'space', '', { ariaHidden: 'true' }), 'td').style.height = n * ROW_HEIGHT + 'px';
  }

  addRow(at) {
    const line = make(this.body, 'tr', '', '', { ariaRowIndex: at + 2 });
    line.setAttribute('aria-current', this.rows[at] === this.row);
    line.dataset.at = at;
    for (const column of this.columns) {
      const text = this.text(column, at);
      if (column.name === 'name') make(make(line, 'th', 'text', '', { scope: 'row', title: text }), 'bdi', '', text);
      else if (column.isText) make(line, 'td', 'text', baseName(text), { title: text });
      else make(line, 'td', '', text);
    }
  }

  text({ name, by, isPercent }, at) {
    const { page, sums, rows, running } = this;
    if (name === 'name') return page.profile.label(rows[at]);
    if (name === 'object') return page.profile.object(rows[at]);
    const value = name === 'sum%' ? running[at] : sums[by][rows[at]];
    return isPercent ? page.percent(value) : this.valueText(value);
  }

  valueText(value) { return valueText(this.page.style, value); }

  // ---- hands ----

  choose(at) {
    if (at in this.rows) this.page.choose(this.rows[at]);
  }

  onKey({ key }) {
    const { rows, box } = this;
    const page = Math.max(1, Math.floor(box.clientHeight / ROW_HEIGHT) - 2);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -rows.length, End: rows.length }[key];
    if (step) this.choose(Math.max(0, Math.min(rows.length - 1, rows.indexOf(this.row) + step)));
    else if (key === 'Enter' && rows.includes(this.row)) this.page.openSandwich();
    else return false;
    return true;
  }
}
