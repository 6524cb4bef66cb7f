// Flame graphs on a canvas of the size of what is seen of them.

const BAR = 18;
const THINNEST = 0.5; // pixels; what is thinner is drawn together with its neighbours
const STEPS = 250; // from no change to all of the box

// ---- colours: [red, green, blue] ----

function hashText(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length && i < 200; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const mix = (from, to, part) => from.map((value, i) => round(value + (to[i] - value) * part));

// The luminance at which black and white have the same contrast, which is more than 4.5:1.
const MIDDLE = 0.179;

// As WCAG defines it.
function luminance(colour) {
  const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// What canvas takes: a fill, and the ink that is read on it.
const paint = (colour) => ({ fill: `rgb(${colour})`, ink: luminance(colour) > MIDDLE ? '#000' : '#fff' });

class Palette {
  constructor(context, colours) {
    this.context = context;
    for (const name in colours) this[name] = this.parse(colours[name]);
    this.dark = luminance(this.back) < MIDDLE;
    this.known = new Map();
    this.plain = paint(this.same);
    this.dim = paint(mix(this.back, this.same, 0.3));
    this.dots = this.pattern((tile) => tile.arc(4, 4, 1.3, 0, 7));
    this.stripes = this.pattern((tile) => {
      tile.moveTo(-1, 9);
      tile.lineTo(9, -1);
      tile.stroke();
    });
  }

  parse(text) {
    this.context.fillStyle = text;
    return [1, 3, 5].map((at) => parseInt(this.context.fillStyle.slice(at, at + 2), 16));
  }

  // Shapes 8 pixels apart, in the colour of text.
  pattern(draw) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 8;
    const context = tile.getContext('2d');
    context.fillStyle = context.strokeStyle = paint(this.text).fill;
    draw(context);
    context.fill();
    return this.context.createPattern(tile, 'repeat');
  }

  // Warm: the hue tells the object, the lightness names apart.
  warm(object, name) {
    const hue = 8 + (hashText(object) % 36);
    return this.parse(`hsl(${hue} ${this.dark ? '45%' : '85%'} ${(this.dark ? 23 : 70) + (hashText(name) % 12)}%)`);
  }

  // From grey to the colour of more or less; part: -1 to 1, of which the root is taken, so that small changes are seen.
  change(part) {
    return mix(this.same, part > 0 ? this.more : this.less, part && 0.15 + 0.85 * Math.sqrt(abs(part)));
  }

  // Made once a key.
  paint(key, make) {
    if (!this.known.has(key)) this.known.set(key, paint(make()));
    return this.known.get(key);
  }
}

// A canvas as large as the box it is in, as sharp as the screen.
function fitCanvas(context, { clientWidth: width, clientHeight: height }) {
  const { canvas } = context;
  const ratio = window.devicePixelRatio;
  Object.assign(canvas, { width: round(width * ratio), height: round(height * ratio) });
  Object.assign(canvas.style, { width: width + 'px', height: height + 'px' });
  context.scale(ratio, ratio);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
}

// The text, or as much as there is room for of its start and, twice as much, of its end, which tells it from others.
function fitText(context, text, room) {
  const cut = (n) => (text.slice(0, n / 3) + '\u2026' + text.slice(floor(n / 3) - n)).replace(/[\ud800-\udbff]?\u2026[\udc00-\udfff]?/, '\u2026');
  let n = min(text.length, ceil(room / 2)); // letters are wider than that
  let shown = n < text.length ? cut(n) : text;
  for (let width; n > 1 && (width = context.measureText(shown).width) > room; shown = cut(n)) n = floor((n * room) / width);
  return n > 1 ? shown : '';
}

// Lines beside the pointer; none: nothing.
function showTip(tip, event, lines) {
  tip.hidden = !lines;
  if (!lines) return;
  tip.textContent = lines.join('\n');
  const within = (at, end) => max(0, min(at, end)) + 'px';
  tip.style.left = within(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8);
  tip.style.top = within(event.clientY + 16, window.innerHeight - tip.offsetHeight - 8);
}

// ---- places ----

// The boxes that are seen, level by level from left to right: node (-1: some that are too thin), x and width in pixels, and
// of how many nodes. Above the node that is zoomed are its callers, as wide as all.
class Layout {
  constructor(tree, zoom, width) {
    Object.assign(this, { tree, zoom, width, levels: [], done: false });
    this.scale = tree.size[zoom] > 0 ? width / tree.size[zoom] : 0;
    for (let node = zoom; node >= 0; node = tree.parent[node]) this.levels.push([{ node, x: 0, width, count: 1 }]);
    this.levels.reverse();
    this.top = this.levels.length - 1;
  }

  // Down to a level, and further until the deadline.
  grow(level, deadline = 0) {
    while (!this.done && (this.levels.length <= level || performance.now() < deadline)) {
      const next = [];
      for (const { node, x } of this.levels[this.levels.length - 1]) if (node >= 0) this.addFamily(next, node, x);
      if (next.length) this.levels.push(next);
      else this.done = true;
    }
  }

  addFamily(level, caller, x) {
    const { size } = this.tree;
    const wide = [];
    let [thin, count] = [0, 0];
    for (const node of this.tree.children(caller)) {
      const width = size[node] * this.scale;
      if (width >= THINNEST) wide.push(node);
      else if (width > 0) {
        thin += width;
        count++;
      }
    }
    for (const node of this.sort(wide)) {
      const width = size[node] * this.scale;
      level.push({ node, x, width, count: 1 });
      x += width;
    }
    const last = level[level.length - 1];
    if (last?.node < 0 && x - last.x - last.width < THINNEST) {
      last.width = x + thin - last.x;
      last.count += count;
    } else if (count) level.push({ node: -1, x, width: thin, count });
  }

  // The largest first; what was too small for the file is the last.
  sort(nodes) {
    const { row, size } = this.tree;
    return nodes.sort((a, b) => (row[a] === FOLDED) - (row[b] === FOLDED) || size[b] - size[a]);
  }

  // The box of a level at x.
  at(level, x) {
    return this.levels[level]?.find((box) => x >= box.x && x < box.x + box.width);
  }

  // The level of a node and its place in it, where it is drawn.
  find(node) {
    let level = -1;
    for (let at = node; at >= 0; at = this.tree.parent[at]) level++;
    this.grow(level);
    const place = (this.levels[level] ?? []).findIndex((box) => box.node === node);
    return place < 0 ? null : { level, place };
  }
}

// ---- a graph ----

// A flame graph in an element. open() is called for a double click or Enter on what has the focus.
class Pane {
  constructor(page, parent, name, open) {
    Object.assign(this, { page, open, focus: -1 });
    this.box = make(parent, 'div', 'flame');
    this.space = make(this.box, 'div');
    this.canvas = make(this.space, 'canvas', 'flame-canvas', '', { tabIndex: 0, role: 'application', ariaLabel: name });
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.tip = make(parent, 'div', 'tip', '', { hidden: true });
    this.box.addEventListener('scroll', () => this.drawSoon());
    this.canvas.addEventListener('click', (event) => this.select(this.hit(event)?.node ?? -1));
    this.canvas.addEventListener('dblclick', () => this.focus >= 0 && open());
    this.canvas.addEventListener('mousemove', (event) => this.hover(event));
    this.canvas.addEventListener('mouseleave', () => this.hover(null));
  }

  get tree() { return this.layout.tree; }

  // flip: the root at the bottom.
  show(tree, { zoom = 0, flip = false } = {}) {
    const { layout: old, focus, page } = this;
    const width = this.box.clientWidth;
    const isNew = tree !== old?.tree || zoom !== old.zoom || flip !== this.flip;
    if (tree !== old?.tree) this.focus = (focus > 0 && tree.find(old.tree.text(focus))) || -1;
    if (isNew || width !== old.width) this.layout = new Layout(tree, zoom, width);
    Object.assign(this, { flip, hits: page.model.hits(page.state), palette: new Palette(this.context, page.colours()) });
    this.hover(null);
    fitCanvas(this.context, this.box);
    if (isNew) this.reveal(this.layout.top);
    this.draw();
  }

  // As high as all levels; what is seen stays where it is.
  fitSpace() {
    const { box, high } = this;
    this.high = max(box.clientHeight, this.layout.levels.length * BAR);
    if (this.high === high) return;
    const top = box.scrollTop;
    this.space.style.height = this.high + 'px';
    if (this.flip && high) box.scrollTop = top + this.high - high;
  }

  top(level) { return this.flip ? this.high - (level + 1) * BAR : level * BAR; }
  level(y) { return floor((this.flip ? this.high - y - 1 : y) / BAR); }

  // Scrolls to a level where it is not seen.
  reveal(level) {
    const { box } = this;
    this.layout.grow(level + ceil(box.clientHeight / BAR));
    this.fitSpace();
    const top = this.top(level);
    if (top < box.scrollTop || top + BAR > box.scrollTop + box.clientHeight)
      box.scrollTop = this.flip ? top - box.clientHeight + 3 * BAR : top - 2 * BAR;
  }

  drawSoon() {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw() {
    const { box, context, layout, palette } = this;
    const first = () => this.level(box.scrollTop + (this.flip ? box.clientHeight : 0));
    const nSeen = ceil(box.clientHeight / BAR) + 1;
    layout.grow(first() + nSeen, performance.now() + 30);
    this.fitSpace();
    const { fill, ink } = paint(palette.back);
    context.fillStyle = fill;
    context.fillRect(0, 0, box.clientWidth, box.clientHeight);
    if (!layout.scale) this.write('Nothing is left to show.', 8, BAR, ink);
    else for (let level = first(), end = level + nSeen; level < end; level++) this.drawLevel(level);
    if (!layout.done) this.drawSoon();
  }

  drawLevel(level) {
    const { context, layout, palette, tree, hits } = this;
    const y = this.top(level) - this.box.scrollTop;
    for (const { node, x, width } of layout.levels[level] ?? []) {
      const isHit = hits?.[tree.row[node]];
      const colours = this.colours(node, level < layout.top || (hits && !isHit));
      const inner = width > 3 ? width - 1 : width;
      const cover = (style, height = BAR - 1) => {
        context.fillStyle = style;
        context.fillRect(x, y, inner, height);
      };
      cover(colours.fill);
      const mark = this.mark(node);
      if (mark) cover(mark);
      if (node >= 0 && width > 40) this.drawText(node, x + 4, y + BAR / 2, inner - 8, colours, mark);
      if (isHit) cover(paint(palette.text).fill, 2);
      if (node === this.focus && node >= 0) this.frame(x, y, inner);
    }
  }

  frame(x, y, width) {
    const { context, palette } = this;
    context.strokeStyle = paint(palette.accent).fill;
    context.lineWidth = 3;
    context.strokeRect(x + 1.5, y + 1.5, max(0, width - 3), BAR - 4);
  }

  // Of a node; -1: of some that are too thin. Dim: something else is meant.
  colours(node, isDim) {
    const { palette, tree: { row, now, base, size }, page: { profile } } = this;
    if (isDim) return palette.dim;
    if (base) {
      const step = round((STEPS * (now[node] - base[node])) / size[node]) || 0;
      return palette.paint(step, () => palette.change(step / STEPS));
    }
    const of = row[node];
    return of < profile.nRows ? palette.paint(of, () => palette.warm(profile.object(of), profile.label(of))) : palette.plain;
  }

  // Dots for what is only in the profile, stripes for what is only in its base.
  mark(node) {
    const { now, base } = this.tree;
    if (!base || !now[node] === !base[node]) return null;
    return now[node] ? this.palette.dots : this.palette.stripes;
  }

  // The name, and what the node has where both fit. Where there is a mark, it is not behind letters.
  drawText(node, x, y, room, { fill, ink }, mark) {
    const { context, page, tree } = this;
    const name = (!tree.base && tree.now[node] < 0 ? '\u2212 ' : '') + page.model.name(tree, node);
    const note = tree.base ? page.change(tree.base[node], tree.now[node]) : page.share(tree.now[node]);
    const measure = (text) => context.measureText(text).width;
    const taken = measure(note) + 12;
    const hasNote = room - taken > 60;
    const text = fitText(context, name, hasNote ? room - taken : room);
    const width = measure(text);
    if (mark && text) {
      context.fillStyle = fill;
      context.fillRect(x - 2, y - 8, width + 4 + (hasNote ? taken : 0), 15);
    }
    this.write(text, x, y, ink);
    if (hasNote) this.write(note, x + width + 12, y, ink);
  }

  write(text, x, y, ink) {
    this.context.fillStyle = ink;
    this.context.fillText(text, x, y);
  }

  // ---- hands ----

  // The box under the mouse.
  hit({ offsetX, offsetY }) {
    return this.layout.at(this.level(offsetY + this.box.scrollTop), offsetX);
  }

  hover(event) {
    const box = event && this.hit(event);
    showTip(this.tip, event, box && (box.node < 0 ? [`${box.count} frames, too small to draw`] : this.details(box.node)));
  }

  // What a node has, in words.
  facts(node) {
    const { page, tree: { now, base, selfNow, selfBase } } = this;
    const { value } = page;
    const facts = base ? [page.change(base[node], now[node]), `${value(base[node])} before`, `${value(now[node])} now`]
      : [value(now[node]), `${page.percent(now[node])} of ${value(page.divisor)}`];
    if (selfNow) facts.push('self ' + (base ? page.change(selfBase[node], selfNow[node]) : value(selfNow[node])));
    return facts;
  }

  details(node) {
    const { profile, model } = this.page;
    const row = this.tree.row[node];
    const places = row < profile.nRows ? [profile.file(row), profile.object(row)].filter((text) => text) : [];
    return [model.name(this.tree, node), ...places, ...this.facts(node)];
  }

  // The row of the frame that has the focus; -1: none.
  get row() {
    const row = this.tree.row[this.focus];
    return row < this.page.profile.nRows ? row : -1;
  }

  select(node) {
    this.focus = node;
    if (node >= 0) this.page.say([this.page.model.name(this.tree, node), ...this.facts(node)].join(', '));
    this.draw();
  }

  // Where an arrow leads from the focused box: to its parent (-1), to its largest child (1), or to the next of its parent.
  neighbour(down, side) {
    const { layout, tree, focus } = this;
    const spot = layout.find(focus);
    if (!spot) return layout.zoom;
    if (down < 0) return tree.parent[focus];
    layout.grow(spot.level + 1);
    const boxes = down ? layout.levels[spot.level + 1] ?? [] : [layout.levels[spot.level][spot.place + side]];
    const parent = down ? focus : tree.parent[focus];
    return boxes.find((box) => box?.node >= 0 && tree.parent[box.node] === parent)?.node ?? -1;
  }

  onKey({ key }) {
    const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
    const isEnter = key === 'Enter' && this.focus >= 0;
    if (isEnter) this.open();
    else if (way) this.move(this.neighbour(this.flip ? -way[0] : way[0], way[1]));
    return Boolean(isEnter || way);
  }

  move(node) {
    if (node < 0) return;
    this.reveal(this.layout.find(node).level);
    this.select(node);
  }
}

// ---- the view ----

class FlameView {
  constructor(page) {
    Object.assign(this, { page, name: 'flame', title: 'Flame', key: '1' });
    this.panel = make(null, 'section', 'view-flame');
    this.pane = new Pane(page, this.panel, 'Flame graph', () => page.set({ zoom: this.pane.tree.text(this.pane.focus) }));
  }

  get row() { return this.pane.row; }

  update() {
    const { model, state } = this.page;
    const tree = model.tree(state);
    const zoom = tree.find(state.zoom);
    this.pane.show(tree, { zoom: tree.size[zoom] ? zoom : 0, flip: state.layout === 'flame' });
  }

  onKey(event) {
    if (event.key !== '0') return this.pane.onKey(event);
    this.page.set({ zoom: '' });
    return true;
  }
}
