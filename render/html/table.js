// Tables of rows, of which only what is seen is in the document.

const ROW_HEIGHT = 22;

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1) || path;

// What is of one kind of table: makeColumns(), list(), which gives its rows without an order, and depends(), whatever those
// and their order depend on. A column is {name, isText, style, key(row), tie(row), text(row, at), paint(row)}: it sorts by key, and where
// names are the same too by tie; style is a class, and paint what is behind a cell.
class Table {
  constructor(page, classes) {
    Object.assign(this, { page, classes, rows: [], columns: [] });
    this.panel = make(null, 'section', 'view-top');
    this.box = make(this.panel, 'div', 'scroll', '', { tabIndex: 0, role: 'region', ariaLabel: 'Rows' });
    this.table = make(this.box, 'table');
    this.line = make(make(this.table, 'thead'), 'tr');
    this.body = make(this.table, 'tbody');
    this.box.addEventListener('scroll', () => this.draw());
    this.body.addEventListener('click', ({ target }) => this.choose(Number(target.closest('tr').dataset.at)));
    this.body.addEventListener('dblclick', () => page.openSandwich());
  }

  get row() { return this.page.state.row; }

  // Where another table is sorted by what this one has not, its first column.
  get sorted() { return this.columns.find(({ name }) => name === this.page.state.sort) ?? this.columns[0]; }
  get up() { return this.sorted.name === this.page.state.sort && this.page.state.up; }

  nameColumns() {
    const { label, object } = this.page.profile;
    return [['name', label], ['object', object]].map(([name, text]) => ({ name, isText: true, style: 'text', key: text, text }));
  }

  update() {
    const { state } = this.page;
    const key = [...this.depends(), state.sort, state.up, state.search];
    if (!this.shown || key.some((part, i) => part !== this.shown[i])) this.order();
    this.shown = key;
    if (this.wasRow !== this.row) this.reveal();
    this.wasRow = this.row;
    this.draw();
  }

  order() {
    this.columns = this.makeColumns();
    this.table.className = `top ${this.classes} ${this.columns.length > 7 ? 'sides' : ''}`;
    this.makeHead();
    const hits = this.page.model.hits(this.page.state);
    this.rows = this.list(hits).sort(this.comparison());
    this.table.ariaRowCount = this.rows.length + 1;
    this.box.scrollTop = 0;
  }

  makeHead() {
    const { columns, line, page, sorted, up } = this;
    const names = columns.map(({ name }) => name);
    if (names.join() !== this.headed) {
      line.replaceChildren();
      for (const [i, { name, style = '' }] of columns.entries())
        page.button(make(line, 'th', style, '', { scope: 'col' }), name, '', () => this.sortBy(this.columns[i]));
      this.headed = names.join();
    }
    columns.forEach((column, i) =>
      line.children[i].setAttribute('aria-sort', column !== sorted ? 'none' : up ? 'ascending' : 'descending'));
  }

  sortBy(column) {
    this.page.set({ sort: column.name, up: column === this.sorted ? !this.up : Boolean(column.isText) });
  }

  comparison() {
    const { page: { profile }, up, sorted: { key, tie = () => 0 } } = this;
    const way = up ? 1 : -1;
    return (a, b) => way * compare(key(a), key(b)) || compare(profile.label(a), profile.label(b)) || tie(b) - tie(a) || a - b;
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
    const first = max(0, floor(box.scrollTop / ROW_HEIGHT) - 5);
    const last = min(rows.length, first + ceil(box.clientHeight / ROW_HEIGHT) + 10);
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
    const row = this.rows[at];
    const line = make(this.body, 'tr', '', '', { ariaRowIndex: at + 2 });
    line.setAttribute('aria-current', row === this.row);
    line.dataset.at = at;
    for (const { name, isText, style = '', text: textOf, paint } of this.columns) {
      const text = textOf(row, at);
      if (name === 'name') make(make(line, 'th', style, '', { scope: 'row', title: text }), 'bdi', '', text);
      else {
        const cell = make(line, 'td', style, isText ? baseName(text) : text, { title: isText ? text : '' });
        const colours = paint?.(row);
        if (colours) Object.assign(cell.style, { background: colours.fill, color: colours.ink });
      }
    }
  }

  // ---- hands ----

  choose(at) {
    if (at in this.rows) this.page.choose(this.rows[at]);
  }

  onKey({ key }) {
    const { rows, box } = this;
    const page = max(1, floor(box.clientHeight / ROW_HEIGHT) - 2);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -rows.length, End: rows.length }[key];
    if (step) this.choose(max(0, min(rows.length - 1, rows.indexOf(this.row) + step)));
    else if (key === 'Enter' && rows.includes(this.row)) this.page.openSandwich();
    else return false;
    return true;
  }
}

// What --top has, of what is shown.
class TopView extends Table {
  constructor(page) {
    super(page, '');
    Object.assign(this, { name: 'top', title: 'Top', key: '3' });
    this.more = page.button(this.panel, '', '', () => page.set({ all: !page.state.all }, { replace: true }));
    this.more.className = 'more';
  }

  depends() { return [this.page.sums(), this.page.state.all]; }

  // A change is sorted by its size.
  makeColumns() {
    const { page } = this;
    const { flat, cum, base, now } = page.sums();
    const value = (name, values) => ({
      name, key: (row) => abs(values[row]), tie: (row) => abs((values === flat ? cum : flat)[row]),
      text: (row) => this.valueText(values[row]),
    });
    const part = (name, values) => ({ ...value(name, values), style: 'percent', text: (row) => page.percent(values[row]) });
    return [
      value('flat', flat), part('flat%', flat), { ...part('sum%', flat), text: (_, at) => page.percent(this.running[at]) },
      value('cum', cum), part('cum%', cum), ...(base ? [value('base cum', base), value('new cum', now)] : []), ...this.nameColumns(),
    ];
  }

  // The rows of a terminal's table, or all that have values, or those that match what is searched.
  list(hits) {
    const { state: { all } } = this.page;
    const { flat, cum, base, shown } = this.page.sums();
    const some = Array.from(flat.keys()).filter((i) => (!hits || hits[i]) && (shown[i] || flat[i] || cum[i] || base?.[i]));
    const nSmall = some.filter((i) => !shown[i]).length;
    this.more.hidden = hits || !nSmall;
    this.more.textContent = all ? 'Show less' : `Show ${nSmall} more that have less`;
    return some.filter((i) => shown[i] || all || hits);
  }

  // And what they have together down to each.
  order() {
    super.order();
    const { flat } = this.page.sums();
    let sum = 0;
    this.running = this.rows.map((row) => (sum += flat[row]));
  }

  valueText(value) { return valueText(this.page.style, value); }
}
