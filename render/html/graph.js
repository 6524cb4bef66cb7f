// The call graph, and the other sections that are in the page as markup.

// Pixels for a unit of the picture, which is a point: at 4/3 it has its natural size, and at 0.6 of that names can be read.
const [SMALLEST, READABLE, LARGEST_WHOLE, LARGEST] = [0.02, 0.8, 2, 20];
const STEP = 100; // pixels

class GraphView {
  constructor(page, section) {
    Object.assign(this, { page, name: 'graph', title: 'Graph', key: '4', panel: section, parts: new Map() });
    this.figures = [...section.querySelectorAll('figure')];
    this.listen();
  }

  get row() { return this.page.state.row; }

  update() {
    const { row, page: { state, model } } = this;
    const figure = this.figures.find(({ dataset }) => Number(dataset.type) === state.type);
    for (const each of this.figures) each.hidden = each !== figure;
    this.svg = figure.querySelector('svg');
    if (!this.svg) return;
    const hits = model.hits(state);
    for (const box of this.svg.querySelectorAll('[data-row]')) {
      box.classList.toggle('chosen', Number(box.dataset.row) === row);
      box.classList.toggle('dim', Boolean(hits && !hits[box.dataset.row]));
    }
    if (this.parts.has(this.svg)) this.look({});
    else this.begin();
    if (this.wasRow !== row || this.wasSeen !== this.svg) this.reveal();
    Object.assign(this, { wasRow: row, wasSeen: this.svg });
  }

  // ---- what part of the picture is seen: its left and top, and pixels for a unit ----

  get part() { return this.parts.get(this.svg); }

  look(changes) {
    const { clientWidth, clientHeight } = this.svg;
    const { x, y, scale } = Object.assign(this.part, changes);
    this.svg.setAttribute('viewBox', [x, y, clientWidth / scale, clientHeight / scale].join(' '));
  }

  begin() {
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    this.parts.set(this.svg, { whole: { x, y, width, height } });
    this.fit(READABLE);
  }

  // The whole, or where that would be too small to read, the middle of its top.
  fit(least = 0) {
    const { svg: { clientWidth, clientHeight }, part: { whole } } = this;
    const scale = max(least, min(LARGEST_WHOLE, clientWidth / whole.width, clientHeight / whole.height));
    const [x, y] = [whole.width - clientWidth / scale, whole.height - clientHeight / scale];
    this.look({ x: whole.x + x / 2, y: whole.y + min(0, y / 2), scale });
  }

  // What is at a place of the view stays there.
  zoom(factor, right = this.svg.clientWidth / 2, down = this.svg.clientHeight / 2) {
    const { x, y, scale: old } = this.part;
    const scale = max(SMALLEST, min(LARGEST, old * factor));
    this.look({ x: x + right / old - right / scale, y: y + down / old - down / scale, scale });
  }

  // By pixels.
  pan(right, down) {
    const { x, y, scale } = this.part;
    this.look({ x: x + right / scale, y: y + down / scale });
  }

  // Brings the chosen box to the middle where it is not seen.
  reveal() {
    const box = this.svg.querySelector('.chosen')?.getBoundingClientRect();
    const room = this.panel.getBoundingClientRect();
    if (!box) return;
    const off = (from, to) => (box[from] < room[from] || box[to] > room[to] ? (box[from] + box[to] - room[from] - room[to]) / 2 : 0);
    this.pan(off('left', 'right'), off('top', 'bottom'));
  }

  // ---- hands ----

  listen() {
    const on = (kind, act) => this.panel.addEventListener(kind, (event) => this.svg && act(event), { passive: false });
    on('wheel', (event) => {
      event.preventDefault();
      const { left, top } = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-max(-1, min(1, event.deltaY / 300))), event.clientX - left, event.clientY - top);
    });
    on('pointerdown', ({ clientX, clientY }) => (this.held = { clientX, clientY }));
    on('pointermove', (event) => event.buttons & 1 && this.drag(event));
    on('click', ({ target }) => {
      const box = target.closest('[data-row]');
      if (box && !this.held?.moved) this.page.choose(Number(box.dataset.row));
    });
    on('dblclick', ({ target }) => target.closest('[data-row]') && this.page.openSandwich());
  }

  // A hand that shakes moves nothing.
  drag({ clientX, clientY, pointerId }) {
    const { held } = this;
    if (!held || (!held.moved && Math.hypot(clientX - held.clientX, clientY - held.clientY) < 4)) return;
    this.panel.setPointerCapture(pointerId);
    this.pan(held.clientX - clientX, held.clientY - clientY);
    this.held = { clientX, clientY, moved: true };
  }

  onKey({ key }) {
    if (!this.svg) return false;
    const hands = {
      ArrowLeft: () => this.pan(-STEP, 0), ArrowRight: () => this.pan(STEP, 0), ArrowUp: () => this.pan(0, -STEP),
      ArrowDown: () => this.pan(0, STEP), '+': () => this.zoom(1.25), '-': () => this.zoom(0.8), 0: () => this.fit(),
      Enter: () => this.page.openSandwich(),
    };
    hands['='] = hands['+'];
    hands[key]?.();
    return Object.hasOwn(hands, key);
  }
}

// A section as it is, where of a row there may be a part to open, and at first the heaviest.
class SectionView {
  constructor(page, section, title, key) {
    Object.assign(this, { page, name: section.id, title, key, panel: section });
    section.tabIndex = -1;
  }

  get row() { return this.page.state.row; }

  // The keys scroll what has the focus.
  onKey() {
    if (document.activeElement === document.body) this.panel.focus({ preventScroll: true });
    return false;
  }

  update() {
    if (this.wasRow === this.row) return;
    this.wasRow = this.row;
    const part = this.panel.querySelector(this.row < 0 ? 'details' : `[data-row="${this.row}"]`);
    if (!part) return;
    part.open = true;
    part.scrollIntoView({ block: 'nearest' });
  }
}
