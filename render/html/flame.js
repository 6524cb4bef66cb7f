// Flame graphs on a canvas of the size of what is seen of them.

const BAR = 18;
const THINNEST = 0.5; // pixels; what is thinner is drawn together with its neighbours
const FONT = '12px system-ui, sans-serif';
const ELLIPSIS = '\u2026';

// An element in another, with classes.
function put(parent, name, classes = '') {
  const element = parent.ownerDocument.createElement(name);
  element.className = classes;
  return parent.appendChild(element);
}

// ---- colours ----

function hashText(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length && i < 200; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const mix = (from, to, part) => from.map((value, i) => value + (to[i] - value) * part);

function luminance(colour) {
  const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// A fill and the ink that is read on it: of black and white the one with more contrast, which is 4.5:1 at least.
function paint(colour) {
  const rounded = colour.map(Math.round);
  return { fill: `rgb(${rounded})`, ink: luminance(rounded) > 0.179 ? '#000' : '#fff' };
}

class Palette {
  constructor(context, colours) {
    this.context = context;
    for (const name in colours) this[name] = this.parse(colours[name]);
    this.dark = luminance(this.back) < 0.179;
    this.known = new Map();
    this.marks = { new: this.pattern((c) => c.arc(4, 4, 1.2, 0, 7)), gone: this.pattern((c) => this.stripe(c)) };
  }

  parse(text) {
    this.context.fillStyle = '#888';
    this.context.fillStyle = text;
    return [1, 3, 5].map((at) => parseInt(this.context.fillStyle.slice(at, at + 2), 16));
  }

  stripe(context) {
    context.moveTo(-2, 10);
    context.lineTo(10, -2);
    context.stroke();
  }

  // Shapes 8 pixels apart, in the colour of text.
  pattern(draw) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 8;
    const context = tile.getContext('2d');
    context.fillStyle = context.strokeStyle = paint(this.text).fill;
    context.globalAlpha = 0.6;
    context.beginPath();
    draw(context);
    context.fill();
    return this.context.createPattern(tile, 'repeat');
  }

  keep(key, make) {
    let made = this.known.get(key);
    if (!made) this.known.set(key, (made = paint(make())));
    return made;
  }

  // Warm: the hue tells the object, the lightness names apart.
  warm(object, name) {
    const hue = 8 + (hashText(object) % 36);
    const light = (this.dark ? 23 : 70) + (hashText(name) % 12);
    this.context.fillStyle = `hsl(${hue} ${this.dark ? 45 : 85}% ${light}%)`;
    return this.parse(this.context.fillStyle);
  }

  // From grey to the colour of more or less; part: -1 to 1. The root makes small changes seen.
  change(part) {
    const strength = Math.sqrt(Math.min(1, Math.abs(part)));
    return mix(this.same, part > 0 ? this.more : this.less, part ? 0.15 + 0.85 * strength : 0);
  }

  // As it is seen where something else is meant.
  dim(colour) { return mix(this.back, mix(colour, this.same, 0.5), 0.3); }
}

// ---- places ----

// The boxes that are seen, level by level: node (-1: some that are too thin), x and width in pixels, and of how many nodes.
// Above the node that is zoomed are its callers, as wide as all.
class Layout {
  constructor(model, tree, zoom, width) {
    Object.assign(this, { model, tree, zoom, width, levels: [], done: false });
    this.scale = tree.size[zoom] > 0 ? width / tree.size[zoom] : 0;
    for (let node = zoom; node >= 0; node = tree.parent(node))
      this.levels.push({ node: [node], x: [0], width: [width], count: [1] });
    this.levels.reverse();
    this.top = this.levels.length - 1;
  }

  // Down to a level, and further until the deadline.
  grow(level, deadline) {
    while (!this.done && (this.levels.length <= level || performance.now() < deadline)) {
      const above = this.levels[this.levels.length - 1];
      const next = { node: [], x: [], width: [], count: [] };
      above.node.forEach((node, i) => {
        if (node >= 0) this.addFamily(next, node, above.x[i]);
      });
      if (next.node.length) this.levels.push(next);
      else this.done = true;
    }
  }

  addFamily(level, caller, x) {
    const { tree, scale } = this;
    const wide = [];
    let [rest, count] = [0, 0];
    for (const child of tree.children(caller)) {
      if (tree.size[child] * scale >= THINNEST) wide.push(child);
      else if (tree.size[child] > 0) {
        rest += tree.size[child];
        count++;
      }
    }
    this.sort(wide);
    for (const child of wide) {
      this.addBox(level, child, x, tree.size[child] * scale, 1);
      x += tree.size[child] * scale;
    }
    if (count) this.addThin(level, x, rest * scale, count);
  }

  // The largest first; what was too small for the file is the last.
  sort(nodes) {
    const { tree, model } = this;
    const name = (node) => model.name(tree, node);
    nodes.sort((a, b) => (tree.row(a) === FOLDED) - (tree.row(b) === FOLDED) || tree.size[b] - tree.size[a] ||
      (name(a) < name(b) ? -1 : 1));
  }

  addBox(level, node, x, width, count) {
    level.node.push(node);
    level.x.push(x);
    level.width.push(width);
    level.count.push(count);
  }

  addThin(level, x, width, count) {
    const last = level.node.length - 1;
    if (last >= 0 && level.node[last] < 0 && x - level.x[last] - level.width[last] < THINNEST) {
      level.width[last] = x + width - level.x[last];
      level.count[last] += count;
    } else this.addBox(level, -1, x, width, count);
  }

  // The place in its level of the box at x; -1 where none is.
  at(level, x) {
    const { x: starts, width } = this.levels[level];
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low && x < starts[low - 1] + width[low - 1] ? low - 1 : -1;
  }

  // The level and place of a node, where it is drawn.
  find(node) {
    let level = -1;
    for (let at = node; at >= 0; at = this.tree.parent(at)) level++;
    this.grow(level, 0);
    const place = this.levels[level]?.node.indexOf(node) ?? -1;
    return place < 0 ? null : { level, place };
  }
}

// ---- a graph ----

// A flame graph in an element. open(node) is called for a double click, and for Enter by whoever has the keys.
class Pane {
  constructor(page, parent, name, open) {
    this.page = page;
    this.focus = -1;
    this.box = put(parent, 'div', 'flame');
    this.space = put(this.box, 'div', 'flame-space');
    this.canvas = put(this.space, 'canvas', 'flame-canvas');
    this.tip = put(parent, 'div', 'tip');
    this.tip.hidden = true;
    this.context = this.canvas.getContext('2d');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', name);
    this.box.addEventListener('scroll', () => this.drawSoon());
    this.canvas.addEventListener('mousemove', (event) => this.hover(event));
    this.canvas.addEventListener('mouseleave', () => this.hover(null));
    this.canvas.addEventListener('click', (event) => this.select(this.hit(event)?.node ?? -1));
    this.canvas.addEventListener('dblclick', (event) => {
      const node = this.hit(event)?.node ?? -1;
      if (node >= 0) open(node);
    });
  }

  // flip: the root at the bottom. hits: by row, where something is searched.
  show(tree, { zoom = 0, flip = false, hits = null }) {
    const width = this.box.clientWidth;
    const { model, colours, state } = this.page;
    const old = this.layout;
    if (tree !== old?.tree) this.focus = this.focusText && tree.find ? tree.find(this.focusText) || -1 : -1;
    this.palette = new Palette(this.context, this.page.colours());
    Object.assign(this, { tree, flip, hits });
    if (tree !== old?.tree || zoom !== old.zoom || width !== old.width) this.layout = new Layout(model, tree, zoom, width);
    this.hover(null);
    this.resize();
    if (tree !== old?.tree || zoom !== old.zoom || flip !== this.wasFlip) this.scrollTo(this.layout.top);
    this.wasFlip = flip;
    this.draw();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.box;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = height + 'px';
    this.ratio = ratio;
    this.fitSpace();
  }

  // As high as all levels; what is seen stays where it is.
  fitSpace() {
    const { box, layout } = this;
    const high = Math.max(box.clientHeight, layout.levels.length * BAR);
    if (high === this.high) return;
    const below = this.high - box.scrollTop;
    this.space.style.height = high + 'px';
    if (this.flip && this.high) box.scrollTop = high - below;
    this.high = high;
  }

  top(level) { return this.flip ? this.high - (level + 1) * BAR : level * BAR; }
  level(y) { return Math.floor((this.flip ? this.high - y - 1 : y) / BAR); }

  scrollTo(level) {
    const { box } = this;
    const top = this.top(level);
    if (this.flip ? top < box.scrollTop || top + BAR > box.scrollTop + box.clientHeight
      : top < box.scrollTop || top + BAR > box.scrollTop + box.clientHeight)
      box.scrollTop = this.flip ? top - box.clientHeight + 3 * BAR : top - 2 * BAR;
  }

  drawSoon() {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw() {
    const { box, context, layout, ratio } = this;
    const reach = this.flip ? [box.scrollTop + box.clientHeight, box.scrollTop] : [box.scrollTop, box.scrollTop + box.clientHeight];
    layout.grow(this.level(reach[1]), performance.now() + 30);
    this.fitSpace();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = paint(this.palette.back).fill;
    context.fillRect(0, 0, box.clientWidth, box.clientHeight);
    context.font = FONT;
    context.textBaseline = 'middle';
    const last = Math.min(layout.levels.length - 1, this.level(reach[1]));
    if (layout.scale) for (let level = Math.max(0, this.level(reach[0])); level <= last; level++) this.drawLevel(level);
    else this.write('Nothing is left to show.', 8, BAR, box.clientWidth, paint(this.palette.back).ink);
    if (!layout.done) this.drawSoon();
  }

  drawLevel(level) {
    const { node, x, width } = this.layout.levels[level];
    const y = this.top(level) - this.box.scrollTop;
    for (let i = 0; i < node.length; i++) {
      if (node[i] < 0) this.drawThin(x[i], y, width[i]);
      else this.drawBox(node[i], x[i], y, width[i], level < this.layout.top);
    }
  }

  drawThin(x, y, width) {
    if (width < THINNEST) return;
    this.context.fillStyle = paint(mix(this.palette.back, this.palette.same, 0.6)).fill;
    this.context.fillRect(x, y, Math.max(1, width), BAR - 1);
  }

  drawBox(node, x, y, width, isAbove) {
    const { context, hits } = this;
    const isHit = hits && hits[this.tree.row(node)];
    const { fill, ink } = this.colour(node, isAbove || (hits && !isHit));
    const inner = width > 3 ? width - 1 : width;
    context.fillStyle = fill;
    context.fillRect(x, y, inner, BAR - 1);
    const mark = this.mark(node);
    if (mark) {
      context.fillStyle = mark;
      context.fillRect(x, y, inner, BAR - 1);
    }
    if (width > 24) this.drawText(node, x + 4, y + BAR / 2, inner - 8, ink, mark && fill);
    if (isHit) this.frame(x, y, inner, 1.5, this.palette.text);
    if (node === this.focus) this.frame(x, y, inner, 3, this.palette.accent);
  }

  frame(x, y, width, line, colour) {
    this.context.strokeStyle = paint(colour).fill;
    this.context.lineWidth = line;
    this.context.strokeRect(x + line / 2, y + line / 2, Math.max(0, width - line), BAR - 1 - line);
  }

  colour(node, isDim) {
    const { palette, tree } = this;
    const { profile } = this.page;
    const row = tree.row(node);
    if (!tree.base) {
      const make = () => (row < 0 || row >= profile.nRows ? palette.same : palette.warm(profile.object(row), profile.label(row)));
      return palette.keep(row * 2 + (isDim ? 1 : 0), () => (isDim ? palette.dim(make()) : make()));
    }
    const part = tree.change ? (tree.now[node] - tree.base[node]) / tree.change : 0;
    return paint(isDim ? palette.dim(palette.change(part)) : palette.change(part));
  }

  // Dots for what is only in the profile, stripes for what is only in its base.
  mark(node) {
    const { now, base } = this.tree;
    if (!base || (now[node] && base[node])) return null;
    return now[node] ? this.palette.marks.new : base[node] ? this.palette.marks.gone : null;
  }

  // The name, and what the node has where both fit.
  drawText(node, x, y, room, ink, plate) {
    const { context, page, tree } = this;
    const isLess = !tree.base && tree.now[node] < 0;
    const name = (isLess ? '\u2212 ' : '') + page.model.name(tree, node).slice(0, 400);
    const note = tree.base ? page.change(tree.base[node], tree.now[node]) : `${page.value(tree.now[node])} (${page.percent(tree.now[node])})`;
    const noteWidth = room > 90 ? context.measureText(note).width + 12 : 0;
    const hasNote = noteWidth && room - noteWidth > 60;
    const text = this.fit(name, hasNote ? room - noteWidth : room);
    if (!text) return;
    const width = context.measureText(text).width;
    if (plate) {
      context.fillStyle = plate;
      context.fillRect(x - 2, y - BAR / 2 + 1, width + 4 + (hasNote ? noteWidth : 0), BAR - 3);
    }
    this.write(text, x, y, ink);
    if (hasNote) this.write(note, x + width + 12, y, ink);
  }

  write(text, x, y, ink) {
    this.context.fillStyle = ink;
    this.context.fillText(text, x, y);
  }

  // The text, or as much of its start as there is room for.
  fit(text, room) {
    const { context } = this;
    if (context.measureText(text).width <= room) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, middle) + ELLIPSIS).width <= room) low = middle;
      else high = middle - 1;
    }
    return low > 1 ? text.slice(0, low).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS : '';
  }

  // ---- hands ----

  // The box under the mouse.
  hit({ offsetX, offsetY }) {
    const level = this.level(offsetY + this.box.scrollTop);
    if (level < 0 || level >= this.layout.levels.length) return null;
    const place = this.layout.at(level, offsetX);
    if (place < 0) return null;
    const { node, count } = this.layout.levels[level];
    return { node: node[place], count: count[place] };
  }

  hover(event) {
    const { tip, box } = this;
    const found = event && this.hit(event);
    tip.hidden = !found;
    if (!found) return;
    tip.textContent = found.node < 0 ? `${found.count} frames too small to draw` : this.details(found.node).join('\n');
    const at = box.getBoundingClientRect();
    const [x, y] = [event.clientX + 12, event.clientY + 16];
    tip.style.left = Math.max(0, Math.min(x, window.innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = (y + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 8 : y) + 'px';
  }

  // What a node has, in words.
  facts(node) {
    const { page, tree } = this;
    const [now, base] = [tree.now[node], tree.base?.[node]];
    const facts = tree.base
      ? [page.change(base, now), `${page.value(now)} now`, `${page.value(base)} before`]
      : [page.value(now), `${page.percent(now)} of ${page.value(page.profile.head.types[page.state.type].divisor)}`];
    if (tree.selfNow)
      facts.push('self ' + (tree.base ? page.change(tree.selfBase(node), tree.selfNow(node)) : page.value(tree.selfNow(node))));
    return facts;
  }

  details(node) {
    const { profile, model } = this.page;
    const row = this.tree.row(node);
    const isRow = row >= 0 && row < profile.nRows;
    const places = isRow ? [profile.file(row), profile.object(row)].filter((text) => text) : [];
    return [model.name(this.tree, node), ...places, ...this.facts(node)];
  }

  select(node) {
    this.focus = node;
    this.focusText = node >= 0 && this.tree.text ? this.tree.text(node) : '';
    if (node >= 0) this.page.say([this.page.model.name(this.tree, node), ...this.facts(node)].join(', '));
    this.draw();
  }

  // From the focused box to its parent (-1) or largest child (1), or to the next of the same parent.
  move(up, side) {
    const { layout, tree } = this;
    const spot = this.focus >= 0 && layout.find(this.focus);
    const to = spot ? this.neighbour(spot, up, side) : layout.zoom;
    if (to >= 0) {
      this.scrollTo(layout.find(to).level);
      this.select(to);
    }
  }

  neighbour({ level, place }, down, side) {
    const { layout, tree, focus } = this;
    if (down < 0) return tree.parent(focus);
    if (down > 0) {
      layout.grow(level + 1, 0);
      return level < layout.top ? layout.levels[level + 1].node[0]
        : layout.levels[level + 1]?.node.find((node) => node >= 0 && tree.parent(node) === focus) ?? -1;
    }
    const to = layout.levels[level].node[place + side] ?? -1;
    return to >= 0 && tree.parent(to) === tree.parent(focus) ? to : -1;
  }

  onKey({ key }) {
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const way = ways[key];
    if (way) this.move(this.flip ? -way[0] : way[0], way[1]);
    return Boolean(way);
  }
}

// ---- the view ----

class FlameView {
  constructor(page) {
    Object.assign(this, { page, name: 'flame', title: 'Flame', key: '1' });
    this.panel = document.createElement('section');
    this.panel.className = 'view-flame';
    this.pane = new Pane(page, this.panel, 'Flame graph', (node) => this.zoom(node));
  }

  // The row of the frame that has the focus; -1: none.
  get row() {
    const { focus, tree } = this.pane;
    const row = focus < 0 ? -1 : tree.row(focus);
    return row < this.page.profile.nRows ? row : -1;
  }

  update() {
    const { model, state } = this.page;
    const tree = model.tree(state);
    this.pane.show(tree, {
      zoom: tree.find(state.zoom),
      flip: state.layout === 'flame',
      hits: state.search ? model.hits(state) : null,
    });
  }

  zoom(node) {
    this.pane.select(node);
    this.page.set({ zoom: this.pane.tree.text(node) });
  }

  onKey(event) {
    const { pane, page } = this;
    if (event.key === 'Enter' && pane.focus >= 0) this.zoom(pane.focus);
    else if (event.key === '0') page.set({ zoom: '' });
    else return pane.onKey(event);
    return true;
  }
}
