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
  return hits.map((_, i) => (test(profile.label(i)) || test(profile.file(i)) || test(profile.object(i)) ? 1 : 0));
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
    const bits = 1 + Math.ceil(Math.log2(most + 2));
    this.shift = 32 - bits;
    this.slots = new Int32Array(2 ** bits);
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

// ---- the scene ----

// By node: whether a stack ends in it that the filters keep.
function keptEnds(profile, filters) {
  const kept = new Uint8Array(profile.n);
  for (const end of profile.ends) kept[end] = 1;
  for (const { kind, pattern } of filters) {
    if (kind === 'hide') continue;
    const inside = spreadDown(profile, matchRows(profile, pattern));
    for (const end of profile.ends) kept[end] &= inside[end] ^ (kind === 'ignore');
  }
  return kept;
}

// The nodes after filters. of: by node of the profile, the node it is in (-1: none). into: the same by end, where -1 also
// means that the stack is dropped.
function makeScene(profile, filters) {
  const { n, parent, row, ends } = profile;
  const of = new Int32Array(n).map((_, i) => i);
  if (!filters.length) return { profile, n, parent, row, of, into: ends };
  const kept = keptEnds(profile, filters);
  const alive = kept.slice();
  for (let i = n - 1; i >= 0; i--) if (alive[i] && parent[i] >= 0) alive[parent[i]] = 1;
  const hidden = new Uint8Array(profile.nRows);
  for (const { kind, pattern } of filters)
    if (kind === 'hide') matchRows(profile, pattern).forEach((hit, i) => (hidden[i] |= hit));
  const nodes = new NodeIndex(n);
  for (let i = 0; i < n; i++) {
    const caller = parent[i] < 0 ? -1 : of[parent[i]];
    of[i] = !alive[i] ? -1 : hidden[row[i]] ? caller : nodes.child(caller, row[i]);
  }
  return { profile, n: nodes.n, parent: nodes.parent, row: nodes.row, of, into: ends.map((end) => (kept[end] ? of[end] : -1)) };
}

// ---- trees ----

// The calls of a scene. Nodes have numbers from 1; 0 is the root, which holds all. self, now, base and size are columns by
// node; size is what its stacks have on the larger side, change how much all stacks have changed.
class CallTree {
  constructor(scene, now, base) {
    const { n, parent } = scene;
    const shift = (column) => {
      const shifted = new Float64Array(n + 1);
      shifted.set(column, 1);
      return shifted;
    };
    this.scene = scene;
    this.self = { now: shift(now), base: base && shift(base), size: shift(now.map(Math.abs)) };
    this.change = 0;
    if (base)
      for (let i = 0; i < n; i++) {
        this.self.size[i + 1] = Math.max(Math.abs(now[i]), Math.abs(base[i]));
        this.change += Math.abs(now[i] - base[i]);
      }
    Object.assign(this, this.sumUp());
    this.first = new Int32Array(n + 1);
    this.next = new Int32Array(n + 1);
    for (let i = n - 1; i >= 0; i--) {
      this.next[i + 1] = this.first[parent[i] + 1];
      this.first[parent[i] + 1] = i + 1;
    }
  }

  // What nodes have with all below them, but for what is below another one of the row.
  sumUp(stop = -1) {
    const { n, parent, row } = this.scene;
    const sum = (self) => {
      const all = self.slice();
      for (let i = n - 1; i >= 0; i--) if (row[i] !== stop) all[parent[i] + 1] += all[i + 1];
      return all;
    };
    const { now, base, size } = this.self;
    return { now: sum(now), base: base && sum(base), size: sum(size) };
  }

  parent(node) { return node ? this.scene.parent[node - 1] + 1 : -1; }
  row(node) { return node ? this.scene.row[node - 1] : -1; }
  selfOf(node, side) { return this.self[side][node]; }

  // Of how many nodes it is made, where it is FOLDED.
  folded(node) {
    const { n, of, profile } = this.scene;
    const places = () => profile.foldedNodes.map((i) => of[i]);
    return (this.scene.counts ??= scatter(n, places(), profile.folded))[node - 1];
  }

  *children(node) {
    for (let child = this.first[node]; child; child = this.next[child]) yield child;
  }

  // The text by which a node is found again, in this tree or another of the layout.
  text(node) { return node ? String(this.scene.of.indexOf(node - 1)) : ''; }
  find(text) { return /^\d+$/.test(text) ? (this.scene.of[text] ?? -1) + 1 : 0; }
}

// A tree of rows, made where it is looked at. A node stands for members, which are nodes of the calls and by which values
// are columns; step(member, visit) visits what follows one: visit(member, row).
class MergedTree {
  constructor(calls, row, starts, values, step) {
    Object.assign(this, { calls, values, step, change: calls.change, rows: [], callers: [], members: [], kids: [], now: [], size: [] });
    this.base = values.base && [];
    this.self = { now: [], base: [] };
    this.add(-1, row);
    for (const member of starts) this.put(0, member);
  }

  add(caller, row) {
    this.rows.push(row);
    this.callers.push(caller);
    this.now.push(0);
    this.base?.push(0);
    this.size.push(0);
    this.self.now.push(0);
    this.self.base.push(0);
    return this.members.push([]) - 1;
  }

  put(node, member) {
    const { values: { now, base, size }, calls: { self } } = this;
    this.members[node].push(member);
    this.now[node] += now[member];
    this.size[node] += size[member];
    this.self.now[node] += self.now[member];
    if (!base) return;
    this.base[node] += base[member];
    this.self.base[node] += self.base[member];
  }

  parent(node) { return this.callers[node]; }
  row(node) { return this.rows[node]; }
  text() { return ''; }
  find() { return 0; }
  folded(node) { return this.members[node].reduce((sum, member) => sum + this.calls.folded(member), 0); }
  children(node) { return (this.kids[node] ??= this.grow(node)); }

  grow(node) {
    const found = new Map();
    for (const member of this.members[node])
      this.step(member, (next, row) => {
        if (!found.has(row)) found.set(row, this.add(node, row));
        this.put(found.get(row), next);
      });
    // One tells the way; the others would fill the memory where stacks are deep.
    if (this.rows[node] !== FOLDED) this.members[node].splice(1);
    return [...found.values()];
  }
}

// Upwards from nodes: from themselves, or where a row is given, from the callers of its nodes.
class CallerTree extends MergedTree {
  constructor(calls, row, starts, values) {
    const at = new Int32Array(calls.now.length);
    for (const start of starts) at[start] = row < 0 ? start : calls.parent(start);
    super(calls, row, starts, values, (member, visit) => {
      const node = at[member];
      if (node) visit(member, calls.row(node));
      at[member] = node && calls.parent(node);
    });
  }

  text(node) {
    let depth = 0;
    for (let at = node; at; at = this.callers[at]) depth++;
    return depth ? `${this.calls.text(this.members[node][0])}.${depth}` : '';
  }

  find(text) {
    const [start, depth] = text.split('.');
    let node = 0;
    let at = this.calls.find(start);
    for (let i = 0; i < depth && at; i++, at = this.calls.parent(at)) {
      node = this.children(node).find((child) => this.rows[child] === this.calls.row(at));
      if (!node) return 0;
    }
    return node;
  }
}

// Everything below nodes.
class CalleeTree extends MergedTree {
  constructor(calls, row, starts) {
    super(calls, row, starts, calls, (member, visit) => {
      for (const child of calls.children(member)) visit(child, calls.row(child));
    });
  }

  selfOf(node, side) { return this.self[side][node]; }
}

function invert(calls) {
  const starts = [];
  calls.self.size.forEach((size, node) => size && starts.push(node));
  return new CallerTree(calls, -1, starts, calls.self);
}

// The nodes of a row, of those in one stack the lowest: above it are all its callers.
function callersOf(calls, row) {
  const starts = [];
  calls.scene.row.forEach((of, i) => of === row && starts.push(i + 1));
  return new CallerTree(calls, row, starts, calls.sumUp(row));
}

// The nodes of a row, of those in one stack the topmost: below it is all that it calls.
function calleesOf(calls, row) {
  const { scene } = calls;
  const hits = new Uint8Array(scene.profile.nRows);
  hits[row] = 1;
  return new CalleeTree(calls, row, topmost(scene, hits).map((i) => i + 1));
}

// Nodes of the scene that are hit, and no one above them.
function topmost(scene, hits) {
  const { n, parent, row } = scene;
  const inside = spreadDown(scene, hits);
  const found = [];
  for (let i = 0; i < n; i++) if (hits[row[i]] && !(parent[i] >= 0 && inside[parent[i]])) found.push(i);
  return found;
}

// By row: what its nodes have themselves, and with all below, where each stack counts once.
function sumRows(calls, nRows) {
  const sides = calls.base ? ['now', 'base'] : ['now'];
  const [flat, cum] = [0, 0].map(() => sides.map(() => new Float64Array(nRows)));
  const opener = new Int32Array(nRows);
  const leave = (node) => {
    if (opener[calls.row(node)] === node) opener[calls.row(node)] = 0;
  };
  let node = calls.first[0];
  while (node > 0) {
    const row = calls.row(node);
    if (row < nRows) {
      sides.forEach((side, set) => {
        flat[set][row] += calls.self[side][node];
        if (!opener[row]) cum[set][row] += calls[side][node];
      });
      opener[row] ||= node;
    }
    if (calls.first[node]) {
      node = calls.first[node];
      continue;
    }
    for (leave(node); node && !calls.next[node]; leave(node)) node = calls.parent(node);
    node = calls.next[node];
  }
  return { flat, cum };
}

// ---- the model ----

// A scaled value, or the base where rounding alone makes a difference.
const settle = (base, now) => (Math.abs(now - base) <= Math.abs(base) * 2 ** -40 ? base : now);

class Model {
  constructor(profile) {
    this.profile = profile;
    this.held = {};
    this.whole = makeScene(profile, []);
  }

  // What was made last under the name, where it was of the same key.
  keep(name, key, make) {
    if (this.held[name]?.key !== key) this.held[name] = { key, value: make() };
    return this.held[name].value;
  }

  key({ filters, type, scale }) { return JSON.stringify([filters, type, scale]); }

  scene(state) {
    if (!state.filters.length) return this.whole;
    return this.keep('scene', this.key({ filters: state.filters }), () => makeScene(this.profile, state.filters));
  }

  // What column(set) gives, of the profile and where there is one of its base. Where that is asked for, the profile is
  // scaled to the total of the base.
  sides({ type, scale }, column) {
    const { sets, types } = this.profile.head;
    if (sets === 1) return [column(0)];
    const [now, base] = [column(0), column(1)];
    if (scale === 'absolute') return [now, base];
    const { profile_total: total, base_total: wanted } = types[type];
    return [now.map((value, i) => settle(base[i], total && (value * wanted) / total)), base];
  }

  // Top down, whatever the layout.
  calls(state) {
    return this.keep('calls', this.key(state), () => {
      const scene = this.scene(state);
      return new CallTree(scene, ...this.sides(state, (set) => scatter(scene.n, scene.into, this.profile.endSelf(state.type, set))));
    });
  }

  tree(state, { row = -1, callers = false } = {}) {
    const calls = this.calls(state);
    const key = this.key(state) + row;
    if (row < 0) return state.layout === 'inverted' ? this.keep('inverted', key, () => invert(calls)) : calls;
    return this.keep('row' + callers, key, () => (callers ? callersOf : calleesOf)(calls, row));
  }

  total(state) {
    const { now, base } = this.calls(state);
    return { now: now[0], base: base ? base[0] : 0 };
  }

  rows(state) {
    const { profile } = this;
    return this.keep('rows', this.key(state), () => {
      if (state.filters.length) return sumRows(this.calls(state), profile.nRows);
      const both = (column) => this.sides(state, (set) => column(state.type, set));
      return { flat: both(profile.flat), cum: both(profile.cum) };
    });
  }

  hits({ search }) { return this.keep('hits', search, () => matchRows(this.profile, search)); }

  // What the stacks have in which a frame matches, how many frames do, and of how many rows they are.
  search(state) {
    const hits = this.hits(state);
    const { scene, now, base } = this.calls(state);
    const rows = scene.row.subarray(0, scene.n).filter((row) => hits[row]);
    const sum = (column) => topmost(scene, hits).reduce((total, i) => total + column[i + 1], 0);
    return { total: sum(now), base: base ? sum(base) : 0, frames: rows.length, rows: new Set(rows).size };
  }

  // The name of what a node of a tree shows.
  name(tree, node) {
    const row = tree.row(node);
    if (row === FOLDED) return `(small: ${tree.folded(node)} nodes)`;
    if (row === NO_STACK) return '(no stack)';
    return row < 0 ? 'all' : this.profile.label(row);
  }
}
