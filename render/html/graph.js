// The call graph, and the other sections that are in the page as markup.

class GraphView {
  constructor(page, section) {
    Object.assign(this, { page, name: 'graph', title: 'Graph', key: '4', panel: section, boxes: new Map() });
    this.figures = [...section.querySelectorAll('figure')];
    this.missing = put(section, 'p', 'missing');
    this.missing.textContent = 'The file has no call graph of this sample type.';
    for (const figure of this.figures) this.listen(figure);
  }

  get row() { return this.page.state.row; }
  get figure() { return this.figures.find(({ dataset }) => Number(dataset.type) === this.page.state.type); }
  get svg() { return this.figure?.querySelector('svg'); }

  update() {
    for (const figure of this.figures) figure.hidden = figure !== this.figure;
    this.missing.hidden = Boolean(this.figure);
    const { state, model } = this.page;
    const hits = state.search ? model.hits(state) : null;
    for (const node of this.svg?.querySelectorAll('[data-row]') ?? []) {
      const row = Number(node.dataset.row);
      node.classList.toggle('chosen', row === state.row);
      node.classList.toggle('dim', Boolean(hits && !hits[row]));
    }
  }

  // ---- what part of the picture is seen ----

  whole(svg) {
    if (!this.boxes.has(svg)) {
      const { x, y, width, height } = svg.viewBox.baseVal;
      this.boxes.set(svg, { x, y, width, height, text: svg.getAttribute('viewBox') });
    }
    return this.boxes.get(svg);
  }

  look({ x, y, width, height, text = [x, y, width, height].join(' ') }) {
    this.svg.setAttribute('viewBox', text);
  }

  // Units of the picture for a pixel, and the pixel in them.
  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  zoom(factor, at) {
    const { svg } = this;
    const whole = this.whole(svg);
    const { x, y, width, height } = svg.viewBox.baseVal;
    const part = Math.max(width * factor, whole.width / 200) / width;
    if (width * part > whole.width * 4) return;
    const centre = at ?? { x: x + width / 2, y: y + height / 2 };
    this.look({
      x: centre.x - (centre.x - x) * part, y: centre.y - (centre.y - y) * part, width: width * part, height: height * part,
    });
  }

  pan(right, down) {
    this.whole(this.svg);
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    this.look({ x: x + right, y: y + down, width, height });
  }

  // ---- hands ----

  listen(figure) {
    figure.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), this.place(event));
    }, { passive: false });
    figure.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      this.held = { at: this.place(event), x: event.clientX, y: event.clientY, node: event.target.closest('[data-row]') };
    });
    figure.addEventListener('pointermove', (event) => this.drag(event, figure));
    figure.addEventListener('pointerup', () => this.release());
    figure.addEventListener('pointercancel', () => (this.held = null));
    figure.addEventListener('dblclick', (event) => {
      if (event.target.closest('[data-row]')) this.page.openSandwich();
    });
  }

  drag(event, figure) {
    const { held } = this;
    if (!held || !(event.buttons & 1)) return;
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 4) return;
    if (!held.moved) figure.setPointerCapture(event.pointerId);
    held.moved = true;
    const now = this.place(event);
    this.pan(held.at.x - now.x, held.at.y - now.y);
  }

  release() {
    const { held, page } = this;
    this.held = null;
    if (!held || held.moved || !held.node) return;
    const row = Number(held.node.dataset.row);
    page.set({ row }, { replace: true });
    page.say(page.describe(row));
  }

  onKey({ key }) {
    if (!this.svg) return false;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const { width, height } = this.svg.viewBox.baseVal;
    if (step) this.pan((step[0] * width) / 10, (step[1] * height) / 10);
    else if (key === '+' || key === '=') this.zoom(0.8);
    else if (key === '-') this.zoom(1.25);
    else if (key === '0') this.look(this.whole(this.svg));
    else return false;
    return true;
  }
}

// A section as it is, where of a row there may be a part to open.
class SectionView {
  constructor(page, section, title, key) {
    Object.assign(this, { page, name: section.id, title, key, panel: section });
  }

  get row() { return this.page.state.row; }

  // The keys scroll what has the focus.
  onKey() {
    this.panel.tabIndex = -1;
    if (document.activeElement === document.body) this.panel.focus({ preventScroll: true });
    return false;
  }

  update() {
    if (this.wasRow === this.row) return;
    this.wasRow = this.row;
    const part = this.panel.querySelector(`[data-row="${this.row}"]`);
    if (!part) return;
    part.open = true;
    part.scrollIntoView();
  }
}
