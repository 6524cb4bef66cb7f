// Snapshots in time: what the likeliest leaks hold in each, and the table of what grows.

const MOST_AREAS = 9;
const NOT_SMALL = 0.01; // of the largest score; a row that has less goes by its size

// Growth for each of xs: the slope of the line with the least squares.
function slope(xs, values) {
  const mean = (list) => list.reduce((sum, value) => sum + value / list.length, 0);
  const [middle, level] = [mean(xs), mean(values)];
  const sum = (part) => xs.reduce((all, x, i) => all + (x - middle) * part(x, i), 0);
  return sum((_, i) => values[i] - level) / sum((x) => x - middle) || 0;
}

const larger = (a, b) => max(a, b);

// What a type has over the snapshots, by row, as series.h has it; rank: the likeliest leak is 1.
class Series {
  constructor({ profile, state: { type } }) {
    const { snapshots, nRows, head, label } = profile;
    Object.assign(this, { profile, type, known: [], by: profile[head.by], rank: new Uint32Array(nRows) });
    this.rows = [...profile.shape(type).keys()].filter((row) => profile.shape(type)[row] !== NO_SHAPE);
    this.seconds = snapshots.map(({ elapsed }) => elapsed);
    this.hasTimes = this.seconds.at(-1) > 0;
    const keys = this.rows.map((row) => ({
      row, order: [profile.score(type)[row], this.facts(row).growth, this.values(row).map(abs).reduce(larger), profile.churn(type)[row]],
    }));
    keys.sort((a, b) => {
      const at = a.order.findIndex((value, i) => value !== b.order[i]);
      return at < 0 ? compare(label(a.row), label(b.row)) || a.row - b.row : b.order[at] - a.order[at];
    }).forEach(({ row }, i) => (this.rank[row] = i + 1));
    this.makeAreas(head.types[type]);
  }

  values(row, column = this.by) { return this.profile.snapshots.map(({ set }) => column(this.type, set)[row]); }

  facts(row) {
    const values = this.values(row);
    const [first, last] = [values[0], values.at(-1)];
    const falls = values.filter((value, i) => value < values[i - 1]).length;
    return (this.known[row] ??= {
      first, last, growth: last - first, step: slope([...values.keys()], values), perSecond: this.hasTimes && slope(this.seconds, values),
      mono: (values.length - 1 - falls) / (values.length - 1), since: values.findIndex((value) => value) + 1,
    });
  }

  // Parts of the total, one on the other: of the rows that grow, then of the largest, and what is left.
  makeAreas({ totals }) {
    const { profile: { flat, score }, type } = this;
    const least = score(type).reduce(larger, 0) * NOT_SMALL;
    const areas = this.rows.map((row) => ({ row, values: this.values(row, flat), score: score(type)[row] }))
      .map((area) => ({ ...area, score: area.score < least ? 0 : area.score, peak: area.values.reduce(larger) }))
      .filter(({ peak }) => peak > 0).sort((a, b) => b.score - a.score || b.peak - a.peak || a.row - b.row).slice(0, MOST_AREAS);
    areas.push({ row: -1, values: totals.map((total, k) => areas.reduce((left, { values }) => left - values[k], total)) });
    let below = totals.map(() => 0);
    for (const area of areas) {
      area.below = below;
      area.above = below = area.values.map((value, k) => below[k] + max(0, value));
    }
    Object.assign(this, { areas, totals, most: [...totals, ...below].reduce(larger, 0) || 1 });
  }

  name(row) { return row < 0 ? 'other' : `${this.rank[row]} ${this.profile.label(row)}`; }
}

// What --trend has, of the whole profile.
class GrowthTable extends Table {
  constructor(page) { super(page, 'growth'); }

  get series() { return this.page.model.keep('series', this.page.state.type, () => new Series(this.page)); }

  depends() { return [this.series]; }

  makeColumns() {
    const { page, series, page: { profile, state: { type }, type: { has_churn: hasChurn, growth_divisor: divisor } } } = this;
    const shape = (row) => profile.head.shapes[profile.shape(type)[row]];
    const column = (name, key, textOf = page.value, style = '') => ({ name, key, text: (row) => textOf(key(row)), style });
    const fact = (name, part, ...more) => column(name, (row) => series.facts(row)[part], ...more);
    return [
      // The first is the largest, as in the other columns.
      { ...column('rank', (row) => -series.rank[row], (key) => String(-key), 'percent'), paint: this.paint },
      this.nameColumns()[0], fact('first', 'first'), fact('last', 'last'), fact('growth', 'growth'), fact('a snapshot', 'step'),
      ...(series.hasTimes ? [fact('a second', 'perSecond')] : []),
      fact('share', 'growth', (value) => percentText(value, divisor), 'percent'),
      fact('mono', 'mono', (part) => floor(part * 100 + 1e-9) + '%', 'percent'), fact('since', 'since', (at) => String(at || ''), 'percent'),
      ...(hasChurn ? [column('churn', (row) => profile.churn(type)[row])] : []),
      { name: 'shape', isText: true, style: 'text shape', key: shape, text: shape },
    ];
  }

  list(hits) { return this.series.rows.filter((row) => !hits || hits[row]); }
}

const [LEFT, RIGHT, TOP, BOTTOM] = [76, 16, 10, 22]; // pixels around the picture

// '+90s', '+36min'
function timeText(seconds) {
  const [name, size] = [['d', 86400], ['h', 3600], ['min', 60]].find(([, size]) => seconds >= 3 * size) ?? ['s', 1];
  return `+${round((seconds * 10) / size) / 10}${name}`;
}

class TimelineView {
  constructor(page) {
    Object.assign(this, { page, name: 'timeline', title: 'Timeline', key: '5', at: -1, n: page.profile.snapshots.length });
    this.panel = make(null, 'section', 'view-timeline');
    this.note = make(this.panel, 'p');
    this.box = make(this.panel, 'div', 'time');
    this.canvas = make(this.box, 'canvas', '', '', { tabIndex: 0, role: 'application', ariaLabel: 'Snapshots in time' });
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.tip = make(this.panel, 'div', 'tip', '', { hidden: true });
    this.table = new GrowthTable(page);
    this.table.paint = (row) => this.colours.get(row);
    this.panel.append(this.table.panel);
    this.listen();
  }

  get row() { return this.page.state.row; }
  get series() { return this.table.series; }

  // The first and the last snapshot that are chosen.
  get chosen() {
    if (this.held) return this.held.toSorted((a, b) => a - b);
    const [first, last = first] = this.page.span.split('-');
    return [first - 1, last - 1];
  }

  update() {
    const { page } = this;
    this.note.textContent = `Other views: ${page.isDifference ? 'what changed, ' : ''}${page.spanText()}. ` +
      'Click or Enter: one snapshot; drag or Shift and arrows: a change; 0: all. The line is the total.';
    this.palette = new Palette(this.context, page.colours());
    this.colours = new Map(this.series.areas.map(({ row }, i) => [row, row < 0 ? this.palette.plain : paint(this.colour(i))]));
    this.table.update();
    this.draw();
  }

  // Neighbours differ in lightness too.
  colour(i) {
    const { dark } = this.palette;
    return this.palette.parse(`hsl(${(205 + i * 67) % 360} ${dark ? 40 : 60}% ${(dark ? 25 : 62) + (i % 2) * 16}%)`);
  }

  // ---- places, in pixels ----

  x(k) {
    const { seconds, hasTimes } = this.series;
    const part = hasTimes ? seconds[k] / seconds.at(-1) : k / (this.n - 1);
    return LEFT + part * (this.box.clientWidth - LEFT - RIGHT);
  }

  y(value) {
    const { clientHeight: height } = this.box;
    return height - BOTTOM - (max(0, value) / this.series.most) * (height - TOP - BOTTOM);
  }

  nearest(x) {
    let best = 0;
    for (let k = 1; k < this.n; k++) if (abs(this.x(k) - x) < abs(this.x(best) - x)) best = k;
    return best;
  }

  // ---- drawing ----

  draw() {
    const { box, box: { clientWidth: width, clientHeight: height }, context, palette, series, chosen } = this;
    fitCanvas(context, box);
    const [back, text, accent] = ['back', 'text', 'accent'].map((name) => paint(palette[name]).fill);
    const fill = (style, from, to) => {
      context.fillStyle = style;
      context.fillRect(from, 0, to - from, height - BOTTOM);
    };
    context.fillStyle = back;
    context.fillRect(0, 0, width, height);
    this.drawScale(text);
    for (const { row, below, above } of series.areas) {
      this.trace(above);
      for (let k = this.n - 1; k >= 0; k--) context.lineTo(this.x(k), this.y(below[k]));
      context.fillStyle = this.colours.get(row).fill;
      context.fill();
      this.trace(above);
      this.stroke(back, 1);
    }
    this.trace(series.totals);
    this.stroke(text, 2);
    context.globalAlpha = 0.6;
    fill(back, LEFT, this.x(chosen[0]));
    fill(back, this.x(chosen[1]), width);
    context.globalAlpha = 1;
    for (const area of series.areas) this.drawName(area);
    if (this.held || this.page.state.span) for (const k of chosen) fill(accent, this.x(k) - 1.5, this.x(k) + 1.5);
    if (this.at >= 0) fill(text, this.x(this.at) - 0.5, this.x(this.at) + 0.5);
    this.drawSnapshots(text);
  }

  trace(values) {
    this.context.beginPath();
    values.forEach((value, k) => this.context.lineTo(this.x(k), this.y(value)));
  }

  stroke(style, lineWidth) {
    Object.assign(this.context, { strokeStyle: style, lineWidth });
    this.context.stroke();
  }

  write(text, x, y, ink) {
    this.context.fillStyle = ink;
    this.context.fillText(text, x, y);
  }

  // Where the area is highest, if it is as high as that behind all of the text, or at least of its number.
  drawName({ row, below, above }) {
    const high = above.map((value, k) => value - below[k]);
    const middle = this.x(high.indexOf(high.reduce(larger)));
    const name = fitText(this.context, this.series.name(row), 300);
    for (const text of [name, name.split(' ')[0]]) {
      const { width } = this.context.measureText(text);
      const from = max(LEFT + 6, min(middle - width / 2, this.box.clientWidth - RIGHT - 6 - width));
      const [first, end] = [this.nearest(from), this.nearest(from + width) + 1];
      const top = this.y(above.slice(first, end).reduce((a, b) => min(a, b)));
      const bottom = this.y(below.slice(first, end).reduce(larger));
      if (bottom - top < 14) continue;
      this.write(text, from, (top + bottom) / 2, this.colours.get(row).ink);
      return;
    }
  }

  drawScale(ink) {
    const { context, palette, page, box, series: { most } } = this;
    const style = page.state.unit ? page.style : autoStyle(page.type, most);
    const rough = most / style.factor / max(1, floor(box.clientHeight / 50));
    const power = 10 ** floor(Math.log10(rough));
    const step = style.factor * power * [1, 2, 5, 10].find((size) => size * power >= rough);
    context.textAlign = 'right';
    for (let value = 0; value <= most; value += step) {
      const y = this.y(value);
      this.write(valueText(style, value), LEFT - 8, y, ink);
      context.fillStyle = paint(palette.same).fill;
      context.fillRect(LEFT, y, box.clientWidth - LEFT - RIGHT, 1);
    }
    context.textAlign = 'left';
  }

  // Their numbers and times, where there is room.
  drawSnapshots(ink) {
    const { context, box, series } = this;
    const y = box.clientHeight - BOTTOM;
    const every = [1, 2, 5, 10, 20, 50, 100].find((size) => size * box.clientWidth > this.n * 40);
    let end = 0;
    for (let k = 0; k < this.n; k++) {
      const text = k + 1 + (series.hasTimes && k ? ' ' + timeText(series.seconds[k]) : '');
      const { width } = context.measureText(text);
      const x = min(this.x(k) - width / 2, box.clientWidth - width - 2);
      context.fillStyle = ink;
      context.fillRect(this.x(k), y, 1, 4);
      if (x < end || k % every) continue;
      context.fillText(text, x, y + 13);
      end = x + width + 10;
    }
  }

  // ---- hands ----

  facts(k) {
    const { page, series } = this;
    const rows = series.areas.filter(({ values }) => values[k]).reverse();
    return [page.snapshot(k + 1) + (series.hasTimes ? ' ' + timeText(series.seconds[k]) : ''), `total ${page.value(series.totals[k])}`,
      ...rows.map(({ row, values }) => `${series.name(row)}: ${page.value(values[k])}`)];
  }

  // A snapshot alone, or what changed between two.
  show(...ends) {
    const [first, last] = ends.sort((a, b) => a - b).map((k) => k + 1);
    const span = first === last ? String(first) : `${first}-${last}`;
    this.page.set({ span: span === `1-${this.n}` ? '' : span });
  }

  listen() {
    const on = (kind, act) => this.canvas.addEventListener(kind, (event) => act(event, this.nearest(event.offsetX)));
    on('pointerdown', ({ button, pointerId }, k) => {
      if (button) return;
      Object.assign(this, { held: [k, k], at: -1 });
      this.canvas.setPointerCapture(pointerId);
    });
    on('pointermove', (event, k) => {
      showTip(this.tip, event, this.facts(k));
      if (!this.held) return;
      this.held[1] = k;
      this.draw();
    });
    on('pointerup', () => {
      const { held } = this;
      this.held = null;
      if (held) this.show(...held);
    });
    on('pointercancel', () => (this.held = null));
    on('pointerleave', () => showTip(this.tip));
  }

  // Left and right are the snapshots', up and down the table's; Enter is for what was moved last.
  onKey(event) {
    const { key, shiftKey } = event;
    const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (side) this.step(side, shiftKey);
    else if (key === '0' || (key === 'Escape' && this.page.state.span)) this.show(0, this.n - 1);
    else if (key === 'Enter' && this.at >= 0) this.show(this.at, this.at);
    else {
      if (key.startsWith('Arrow')) this.at = -1;
      return this.table.onKey(event);
    }
    return true;
  }

  step(side, isRange) {
    const { at, n } = this;
    if (!isRange || at < 0) this.from = undefined;
    this.at = at < 0 ? (side > 0 ? 0 : n - 1) : max(0, min(n - 1, at + side));
    if (isRange && at >= 0) this.show((this.from ??= at), this.at);
    this.page.say(this.facts(this.at).join(', '));
    this.draw();
  }
}
