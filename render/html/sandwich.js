// One function between its callers and its callees, and the list to choose it from.

// Of the table, flat, cum and the name.
class SandwichList extends TopView {
  makeColumns() { return super.makeColumns().filter(({ name }) => ['flat', 'cum', 'name'].includes(name)); }

  // What is chosen, or else the first.
  get row() {
    const { row } = this.page.state;
    return row >= 0 ? row : this.rows[0] ?? -1;
  }

  valueText(value) { return (value > 0 && this.page.isDifference ? '+' : '') + this.page.value(value); }
}

class SandwichView {
  constructor(page) {
    Object.assign(this, { page, name: 'sandwich', title: 'Sandwich', key: '2', list: new SandwichList(page) });
    this.panel = make(null, 'section', 'view-sandwich');
    this.panel.append(this.list.panel);
    this.panes = make(this.panel, 'div', 'panes');
    this.callers = this.makePane('Callers');
    this.callees = this.makePane('Callees');
  }

  get row() { return this.list.row; }

  update() {
    const { model, state } = this.page;
    this.list.update();
    const { row } = this;
    this.panes.hidden = row < 0;
    if (row < 0) return;
    this.callers.show(model.tree(state, { row, callers: true }), { flip: true });
    this.callees.show(model.tree(state, { row }));
  }

  makePane(name) {
    const pane = new Pane(this.page, this.panes, name, () => pane.row >= 0 && this.page.set({ row: pane.row }));
    return pane;
  }

  // A graph has the keys while it has the browser's focus, the list otherwise.
  onKey(event) {
    const pane = [this.callers, this.callees].find(({ canvas }) => canvas === document.activeElement);
    return (pane ?? this.list).onKey(event);
  }
}
