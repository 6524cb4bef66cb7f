// What the views show: the call tree after the page's filters (the scene), sums by row, and the trees that are drawn.

// A test of texts: a regular expression without case; where it is none, plain text.
function matcher(text) {
  try {
    const pattern = new RegExp(text, 'i');
    return (name) => pattern.test(name);
  } catch {
    const plain = text.toLowerCase();
    return (name) => name.toLowerCase().includes(plain);
  }
}

// By row: whether its name, file or object matches.
function matchRows(profile, text) {
  const hits = new Uint8Array(profile.nRows);
  if (!text) return hits;
  const test = matcher(text);
  const known = new Map();
  const matches = (name) => {
    let is = known.get(name);
    if (is === undefined) known.set(name, (is = test(name)));
    return is;
  };
  for (let i = 0; i < profile.nRows; i++)
    hits[i] = test(profile.label(i)) || matches(profile.file(i)) || matches(profile.object(i)) ? 1 : 0;
  return hits;
}

// By node: whether it or one above it is of a row that is hit.
function spreadDown({ n, parent, row }, hits) {
  const inside = new Uint8Array(n);
  for (let i = 0; i < n; i++) inside[i] = hits[row[i]] || (parent[i] >= 0 && inside[parent[i]]) ? 1 : 0;
  return inside;
}

// Nodes that are found by caller and row, at most so many.
class NodeIndex {
  constructor(most) {
    this.shift = 31 - Math.max(1, Math.ceil(Math.log2(most + 1)));
    this.slots = new Int32Array(2 ** (32 - this.shift));
    this.parent = new Int32Array(most);
    this.row = new Uint32Array(most);
    this.n = 0;
  }

  child(parent, row) {
    let at = Math.imul(Math.imul(parent + 1, 0x9e3779b1) ^ row, 0x85ebca6b) >>> this.shift;
    for (let node; (node = this.slots[at] - 1) >= 0; at = (at + 1) & (this.slots.length - 1))
      if (this.parent[node] === parent && this.row[node] === row) return node;
    this.parent[this.n] = parent;
    this.row[this.n] = row;
    this.slots[at] = ++this.n;
    return this.n - 1;
  }
}

// The call tree after filters. of: by node of the profile, the node it is in (-1: none); into: the same by end, -1 also
// where the stack is dropped.
class Scene {
  constructor(profile, nodes, of, into) {
    Object.assign(this, { profile, n: nodes.n, parent: nodes.parent, row: nodes.row, of, into, columns: [] });
  }

  self(type, set) {
    return (this.columns[type * this.profile.head.sets + set] ??=
      scatter(this.n, this.into, this.profile.endSelf(type, set)));
  }

  // By node: of how many it is made, where it is FOLDED.
  folded() {
    if (!this.counts) {
      this.counts = new Uint32Array(this.n);
      let at = 0;
      this.profile.row.forEach((row, i) => {
        if (row !== FOLDED) return;
        const node = this.of ? this.of[i] : i;
        if (node >= 0) this.counts[node] += this.profile.folded[at];
        at++;
      });
    }
    return this.counts;
  }
}

// By node: whether a stack ends in it that the filters keep.
function keptEnds(profile, { focus, ignore }) {
  const kept = new Uint8Array(profile.n);
  for (const end of profile.ends) kept[end] = 1;
  const narrow = (text, is) => {
    const inside = spreadDown(profile, matchRows(profile, text));
    for (const end of profile.ends) if (inside[end] !== is) kept[end] = 0;
  };
  for (const text of focus) narrow(text, 1);
  for (const text of ignore) narrow(text, 0);
  return kept;
}

function makeScene(profile, state) {
  const { n, parent, row, ends } = profile;
  if (!state.focus.length && !state.ignore.length && !state.hide.length)
    return new Scene(profile, profile, null, ends);
  const kept = keptEnds(profile, state);
  const alive = kept.slice();
  for (let i = n - 1; i >= 0; i--) if (alive[i] && parent[i] >= 0) alive[parent[i]] = 1;
  const hidden = new Uint8Array(profile.nRows);
  for (const text of state.hide) matchRows(profile, text).forEach((hit, i) => (hidden[i] |= hit));
  const nodes = new NodeIndex(n);
  const of = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    if (!alive[i]) continue;
    const caller = parent[i] < 0 ? -1 : of[parent[i]];
    of[i] = hidden[row[i]] ? caller : nodes.child(caller, row[i]);
  }
  return new Scene(profile, nodes, of, ends.map((end) => (kept[end] ? of[end] : -1)));
}

// Number of a tree's node is its scene's and one: 0 is the root, which holds all.
class CallTree {
  constructor(scene, { now, base }) {
    const { n, parent } = scene;
    this.scene = scene;
    this.self = { now, base };
    this.now = new Float64Array(n + 1);
    this.base = base && new Float64Array(n + 1);
    this.size = new Float64Array(n + 1);
    this.first = new Int32Array(n + 1);
    this.next = new Int32Array(n + 1);
    this.change = 0;
    this.n = n + 1;
    for (let i = n - 1; i >= 0; i--) {
      const [node, caller] = [i + 1, parent[i] + 1];
      this.now[node] += now[i];
      this.now[caller] += this.now[node];
      let size = Math.abs(now[i]);
      if (base) {
        this.base[node] += base[i];
        this.base[caller] += this.base[node];
        size = Math.max(size, Math.abs(base[i]));
        this.change += Math.abs(now[i] - base[i]);
      }
      this.size[node] += size;
      this.size[caller] += this.size[node];
      this.next[node] = this.first[caller];
      this.first[caller] = node;
    }
  }

  parent(node) { return node ? this.scene.parent[node - 1] + 1 : -1; }
  row(node) { return node ? this.scene.row[node - 1] : -1; }
  folded(node) { return this.scene.folded()[node - 1]; }
  selfNow(node) { return node ? this.self.now[node - 1] : 0; }
  selfBase(node) { return node ? this.self.base[node - 1] : 0; }

  *children(node) {
    for (let child = this.first[node]; child; child = this.next[child]) yield child;
  }

  // The text by which a node is found again, in this tree or another of the same layout.
  text(node) {
    if (!node) return '';
    const { of } = this.scene;
    return String(of ? of.indexOf(node - 1) : node - 1);
  }

  find(text) {
    const { of, n, profile } = this.scene;
    if (!/^\d+$/.test(text) || Number(text) >= profile.n) return 0;
    return (of ? of[text] : Number(text)) + 1;
  }
}

// A tree of rows that is made where it is looked at. Each node stands for members; step(member, visit) visits what follows
// a member: visit(member, row). values are columns by member.
class MergedTree {
  constructor(scene, row, members, values, step) {
    Object.assign(this, { scene, values, step, rows: [], callers: [], members: [], kids: [], now: [], size: [] });
    this.base = values.base && [];
    this.n = 0;
    this.add(-1, row);
    for (const member of members) this.put(0, member);
  }

  add(caller, row) {
    this.rows.push(row);
    this.callers.push(caller);
    this.members.push([]);
    this.now.push(0);
    this.size.push(0);
    if (this.base) this.base.push(0);
    return this.n++;
  }

  put(node, member) {
    const { now, base, size } = this.values;
    this.members[node].push(member);
    this.now[node] += now[member];
    this.size[node] += size[member];
    if (base) this.base[node] += base[member];
  }

  parent(node) { return this.callers[node]; }
  row(node) { return this.rows[node]; }
  folded(node) { return this.members[node].reduce((sum, member) => sum + this.values.folded(member), 0); }

  children(node) {
    return (this.kids[node] ??= this.grow(node));
  }

  grow(node) {
    const found = new Map();
    for (const member of this.members[node])
      this.step(member, (next, row) => {
        let child = found.get(row);
        if (child === undefined) found.set(row, (child = this.add(node, row)));
        this.put(child, next);
      });
    return [...found.values()];
  }
}

// Callers upwards from nodes of the scene, of which each has values.
class CallerTree extends MergedTree {
  constructor(scene, row, starts, values, change) {
    const at = Int32Array.from(starts);
    super(scene, row, starts.keys(), { ...values, folded: (i) => scene.folded()[starts[i]] }, (i, visit) => {
      const node = at[i];
      if (node < 0) return;
      at[i] = scene.parent[node];
      visit(i, scene.row[node]);
    });
    this.starts = starts;
    this.change = change;
  }

  text(node) {
    if (!node) return '';
    const { of } = this.scene;
    const start = this.starts[this.members[node][0]];
    let depth = 0;
    for (let at = node; at; at = this.parent(at)) depth++;
    return (of ? of.indexOf(start) : start) + '.' + depth;
  }

  find(text) {
    const { of, parent, row, profile } = this.scene;
    const [, start, depth] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
    if (!(start < profile.n)) return 0;
    let node = 0;
    let at = of ? of[start] : Number(start);
    for (let i = 0; i < depth && at >= 0; i++, at = parent[at]) {
      node = this.children(node).find((child) => this.rows[child] === row[at]);
      if (!node) return 0;
    }
    return node;
  }
}

// Everything below the topmost nodes of a row.
class CalleeTree extends MergedTree {
  constructor(tree, row, starts) {
    const { now, base, size } = tree;
    const values = { now, base, size, folded: (node) => tree.folded(node) };
    super(tree.scene, row, starts, values, (member, visit) => {
      for (const child of tree.children(member)) visit(child, tree.row(child));
    });
    this.tree = tree;
    this.change = tree.change;
  }

  selfNow(node) { return this.members[node].reduce((sum, member) => sum + this.tree.selfNow(member), 0); }
  selfBase(node) { return this.members[node].reduce((sum, member) => sum + this.tree.selfBase(member), 0); }
}

function invert(tree) {
  const { scene } = tree;
  const { now, base } = tree.self;
  const starts = [];
  for (let i = 0; i < scene.n; i++) if (now[i] || (base && base[i])) starts.push(i);
  const pick = (column) => Float64Array.from(starts, (i) => column[i]);
  const values = { now: pick(now), base: base && pick(base) };
  values.size = values.now.map((value, i) => Math.max(Math.abs(value), base ? Math.abs(values.base[i]) : 0));
  return new CallerTree(scene, -1, starts, values, tree.change);
}

// The topmost nodes of a row.
function calleesOf(tree, row) {
  const { scene } = tree;
  const hits = new Uint8Array(scene.profile.nRows);
  hits[row] = 1;
  const inside = spreadDown(scene, hits);
  const starts = [];
  for (let i = 0; i < scene.n; i++)
    if (scene.row[i] === row && !(scene.parent[i] >= 0 && inside[scene.parent[i]])) starts.push(i + 1);
  return new CalleeTree(tree, row, starts);
}

// The lowest nodes of a row in each stack, and what the stacks have for which they are the lowest.
function callersOf(tree, row) {
  const { scene } = tree;
  const { now, base } = tree.self;
  const sums = { now: now.slice(), base: base && base.slice(), size: now.map(Math.abs) };
  const starts = [];
  if (base) for (let i = 0; i < scene.n; i++) sums.size[i] = Math.max(sums.size[i], Math.abs(base[i]));
  for (let i = scene.n - 1; i >= 0; i--) {
    const caller = scene.parent[i];
    if (scene.row[i] === row) starts.push(i);
    else if (caller >= 0) for (const name in sums) if (sums[name]) sums[name][caller] += sums[name][i];
  }
  const pick = (column) => column && Float64Array.from(starts, (i) => column[i]);
  const values = { now: pick(sums.now), base: pick(sums.base), size: pick(sums.size) };
  const above = new CallerTree(scene, row, starts, values, tree.change);
  for (const i of starts.keys()) above.step(i, () => {});
  return above;
}

// By row: what its nodes have themselves, and with all below, where each stack counts once.
function sumRows(tree, nRows, sides) {
  const flat = sides.map(() => new Float64Array(nRows));
  const cum = sides.map(() => new Float64Array(nRows));
  const opener = new Int32Array(nRows);
  const enter = (node, row) => {
    sides.forEach(({ self, all }, set) => {
      flat[set][row] += self[node - 1];
      if (!opener[row]) cum[set][row] += all[node];
    });
    opener[row] ||= node;
  };
  for (let node = tree.first[0]; node > 0;) {
    if (tree.row(node) < nRows) enter(node, tree.row(node));
    if (tree.first[node]) {
      node = tree.first[node];
      continue;
    }
    for (let left = node; ; left = node) {
      if (opener[tree.row(left)] === left) opener[tree.row(left)] = 0;
      node = tree.next[left];
      if (node) break;
      node = tree.parent(left);
      if (!node) break;
    }
  }
  return { flat, cum };
}

class Model {
  constructor(profile) {
    this.profile = profile;
    this.held = {};
    this.whole = makeScene(profile, { focus: [], ignore: [], hide: [] });
  }

  // What was made last under the name, where it was of the same key.
  keep(name, key, make) {
    if (this.held[name]?.key !== key) this.held[name] = { key, value: make() };
    return this.held[name].value;
  }

  filters({ focus, ignore, hide }) {
    return focus.length || ignore.length || hide.length ? JSON.stringify([focus, ignore, hide]) : '';
  }

  scene(state) {
    const key = this.filters(state);
    return key ? this.keep('scene', key, () => makeScene(this.profile, state)) : this.whole;
  }

  // By what the base is multiplied.
  factor({ type, scale }) {
    if (scale !== 'normalised' || this.profile.head.sets < 2) return 1;
    return this.keep('factor', type, () => {
      const sum = (set) => this.profile.endSelf(type, set).reduce((total, value) => total + value, 0);
      return sum(0) / sum(1) || 1;
    });
  }

  scaled(column, state) {
    const factor = this.factor(state);
    return factor === 1 ? column : column.map((value) => value * factor);
  }

  key(state) {
    return JSON.stringify([this.filters(state), state.type, this.factor(state)]);
  }

  // Top down, whatever the layout.
  calls(state) {
    return this.keep('calls', this.key(state), () => {
      const scene = this.scene(state);
      const base = this.profile.head.sets > 1 ? this.scaled(scene.self(state.type, 1), state) : null;
      return new CallTree(scene, { now: scene.self(state.type, 0), base });
    });
  }

  tree(state, { row = -1, callers = false } = {}) {
    const calls = this.calls(state);
    const key = this.key(state) + row;
    if (row >= 0)
      return callers ? this.keep('callers', key, () => callersOf(calls, row))
        : this.keep('callees', key, () => calleesOf(calls, row));
    return state.layout === 'inverted' ? this.keep('inverted', key, () => invert(calls)) : calls;
  }

  total(state) {
    const { now, base } = this.calls(state);
    return { now: now[0], base: base ? base[0] : 0 };
  }

  rows(state) {
    return this.keep('rows', this.key(state), () => {
      const { profile } = this;
      const { type } = state;
      if (!this.filters(state)) {
        const pair = (column) => (profile.head.sets > 1 ? [column(type, 0), this.scaled(column(type, 1), state)] : [column(type, 0)]);
        return { flat: pair(profile.flat), cum: pair(profile.cum) };
      }
      const { self, now, base } = this.calls(state);
      const sides = [{ self: self.now, all: now }];
      if (base) sides.push({ self: self.base, all: base });
      return sumRows(this.calls(state), profile.nRows, sides);
    });
  }

  hits(state) {
    return this.keep('hits', state.search, () => matchRows(this.profile, state.search));
  }

  // What the stacks have in which a frame matches, how many frames do, and of how many rows they are.
  search(state) {
    const found = { total: 0, base: 0, frames: 0, rows: 0 };
    if (!state.search) return found;
    const hits = this.hits(state);
    const { scene, now, base } = this.calls(state);
    const inside = spreadDown(scene, hits);
    const seen = new Uint8Array(hits.length);
    for (let i = 0; i < scene.n; i++) {
      const row = scene.row[i];
      if (!hits[row]) continue;
      found.frames++;
      if (!seen[row]) found.rows++;
      seen[row] = 1;
      if (scene.parent[i] >= 0 && inside[scene.parent[i]]) continue;
      found.total += now[i + 1];
      if (base) found.base += base[i + 1];
    }
    return found;
  }

  // The name of what a node of a tree shows; none for the root of all.
  name(tree, node) {
    const row = tree.row(node);
    if (row === FOLDED) return `(small: ${tree.folded(node)} nodes)`;
    if (row === NO_STACK) return '(no stack)';
    return row < 0 ? 'all' : this.profile.label(row);
  }
}
