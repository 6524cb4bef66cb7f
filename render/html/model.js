// What the views show: the call tree after the page's filters (the scene), sums by row, and the trees that are drawn.

const PRECISION = 2 ** -40; // of a value: what is less, rounding has left

// A scaled value, or the base where rounding alone makes a difference.
const settle = (base, now) => (abs(now - base) <= PRECISION * abs(base) ? base : now);

const quote = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// A test of texts: a regular expression, with (?i) one without case, as on the command line; where it is none, or too large,
// plain text.
function pattern(given) {
  const text = given.replace(/^\(\?i\)/, '');
  const flags = text === given ? '' : 'i';
  try {
    const expression = new RegExp(text, flags);
    expression.test(''); // what is too large is found out here
    return expression;
  } catch {
    const fold = (name) => (flags ? name.toLowerCase() : name);
    return { test: (name) => fold(name).includes(fold(text)) };
  }
}

// By row: whether its name, file or object matches.
function matchRows({ nRows, label, file, object }, text) {
  const wanted = pattern(text);
  return new Uint8Array(nRows).map((_, i) => [label, file, object].some((text) => wanted.test(text(i))));
}

// By node: whether it or one above it is of a row that is hit.
function spreadDown({ n, parent, row }, hits) {
  const inside = new Uint8Array(n);
  for (let i = 1; i < n; i++) inside[i] = hits[row[i]] || inside[parent[i]];
  return inside;
}

// A column of n nodes, into which values are added at their places. Those at 0, which are nowhere, are left out.
function scatter(n, places, values) {
  const column = new Float64Array(n);
  for (let i = 0; i < places.length; i++) column[places[i]] += values[i];
  column[0] = 0;
  return column;
}

// ---- the scene: the nodes that the filters leave ----

// Nodes that are found by caller and row, at most so many with the root.
class NodeIndex {
  constructor(most) {
    const bits = 1 + ceil(Math.log2(most));
    this.shift = 32 - bits;
    this.slots = new Int32Array(2 ** bits);
    this.parent = new Int32Array(most).fill(-1, 0, 1);
    this.row = new Uint32Array(most).fill(ROOT, 0, 1);
    this.n = 1;
  }

  child(parent, row) {
    const { slots } = this;
    let at = Math.imul(Math.imul(parent + 1, 0x9e3779b1) ^ row, 0x85ebca6b) >>> this.shift;
    for (let node; (node = slots[at]); at = (at + 1) % slots.length)
      if (this.parent[node] === parent && this.row[node] === row) return node;
    this.parent[this.n] = parent;
    this.row[this.n] = row;
    slots[at] = this.n;
    return this.n++;
  }
}

// By node: whether samples end in it whose stacks have each focus, and nothing to ignore.
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

// The nodes that are kept, where those of a caller that became of one row by hiding are one.
// of: by node of the profile, the node it is in; into: the same by end. 0: it is left out.
function makeScene(profile, filters) {
  const { n, parent, row, folded, ends } = profile;
  if (!filters.length) return { ...profile, of: new Uint32Array(n).map((_, i) => i), into: ends };
  const kept = keptEnds(profile, filters);
  const alive = kept.slice();
  for (let i = n - 1; i > 0; i--) if (alive[i]) alive[parent[i]] = 1;
  const hidden = new Uint8Array(profile.nRows);
  for (const { kind, pattern } of filters)
    if (kind === 'hide') matchRows(profile, pattern).forEach((hit, i) => (hidden[i] |= hit));
  const nodes = new NodeIndex(n);
  const of = new Uint32Array(n);
  for (let i = 1; i < n; i++)
    if (alive[i]) of[i] = hidden[row[i]] ? of[parent[i]] : nodes.child(of[parent[i]], row[i]);
  return {
    n: nodes.n, parent: nodes.parent, row: nodes.row.subarray(0, nodes.n), folded: scatter(nodes.n, of, folded),
    of, into: ends.map((end) => (kept[end] ? of[end] : 0)),
  };
}

// ---- trees: columns by node, of which 0 is the root ----
// parent, row and folded; now, base (in a difference) and size, which is what the stacks have on the larger side; selfNow and
// selfBase, what ends in the node, where that is a part of it.

// The calls of a scene.
class CallTree {
  constructor({ n, parent, row, folded, of }, selfNow, selfBase) {
    const larger = (now, i) => max(abs(now), abs(selfBase?.[i] ?? 0));
    Object.assign(this, { n, parent, row, folded, of, selfNow, selfBase, selfSize: selfNow.map(larger) });
    Object.assign(this, this.sumUp());
    this.first = new Uint32Array(n);
    this.next = new Uint32Array(n);
    for (let i = n - 1; i > 0; i--) {
      this.next[i] = this.first[parent[i]];
      this.first[parent[i]] = i;
    }
  }

  // What nodes have with all below them, but for what is below another one of the row.
  sumUp(stop = -1) {
    const { n, parent, row } = this;
    const sum = (self) => {
      const all = self.slice();
      for (let i = n - 1; i > 0; i--) if (row[i] !== stop) all[parent[i]] += all[i];
      return all;
    };
    return { now: sum(this.selfNow), base: this.selfBase && sum(this.selfBase), size: sum(this.selfSize) };
  }

  *children(node) {
    for (let child = this.first[node]; child; child = this.next[child]) yield child;
  }

  // The text by which a node is found again, in this tree or another of the layout.
  text(node) { return node ? String(this.of.indexOf(node)) : ''; }
  find(text) { return /^\d+$/.test(text) ? this.of[text] ?? 0 : 0; }
}

// A tree of rows, made where it is looked at. A node stands for members, which are nodes of the calls and by which columns
// are; step(member, visit) visits what follows one: visit(member, row).
class MergedTree {
  constructor(calls, row, starts, columns, step) {
    Object.assign(this, { calls, step, row: [], parent: [], members: [], kids: [] });
    this.columns = Object.entries({ ...columns, folded: calls.folded }).filter(([, column]) => column);
    for (const [name] of this.columns) this[name] = [];
    this.add(-1, row, starts);
  }

  add(parent, row, members) {
    this.row.push(row);
    this.parent.push(parent);
    for (const [name, column] of this.columns) {
      let sum = 0;
      for (const member of members) sum += column[member];
      this[name].push(sum);
    }
    return this.members.push(members) - 1;
  }

  // What a row has in nodes that were folded: how much is known, but not where.
  addRest(now, base = 0) {
    const rest = { now: now - this.now[0], base: base - (this.base?.[0] ?? 0) };
    rest.size = max(abs(rest.now), abs(rest.base));
    if (rest.size <= PRECISION * this.size[0]) return;
    const node = this.add(0, FOLDED, []);
    this.children(0).push(node);
    for (const name in rest) if (this[name]) this[name][0] += this[name][node] = rest[name];
  }

  text() { return ''; }
  find() { return 0; }
  children(node) { return (this.kids[node] ??= this.grow(node)); }

  grow(node) {
    const found = new Map();
    for (const member of this.members[node])
      this.step(member, (next, row) => {
        if (found.has(row)) found.get(row).push(next);
        else found.set(row, [next]);
      });
    // One tells the way; the others would fill the memory where stacks are deep.
    this.members[node] = this.members[node].slice(0, 1);
    return Array.from(found, ([row, members]) => this.add(node, row, members));
  }
}

// Upwards from nodes: from themselves, or where a row is given, from the callers of its nodes.
class CallerTree extends MergedTree {
  constructor(calls, row, starts, columns) {
    const at = new Uint32Array(calls.n);
    for (const start of starts) at[start] = row === ROOT ? start : calls.parent[start];
    super(calls, row, starts, columns, (member, visit) => {
      const node = at[member];
      if (!node) return;
      visit(member, calls.row[node]);
      at[member] = calls.parent[node];
    });
  }

  text(node) {
    let depth = 0;
    for (let at = node; at; at = this.parent[at]) depth++;
    return depth ? `${this.calls.text(this.members[node][0])}.${depth}` : '';
  }

  find(text) {
    const [start, depth] = text.split('.');
    let node = 0;
    let at = this.calls.find(start);
    for (let i = 0; i < depth && at; i++, at = this.calls.parent[at]) {
      node = this.children(node).find((child) => this.row[child] === this.calls.row[at]);
      if (!node) return 0;
    }
    return node;
  }
}

function nodesWhere({ n }, test) {
  const nodes = [];
  for (let node = 1; node < n; node++) if (test(node)) nodes.push(node);
  return nodes;
}

// Nodes that are hit, and no one above them.
function topmost(calls, hits) {
  const inside = spreadDown(calls, hits);
  return nodesWhere(calls, (node) => hits[calls.row[node]] && !inside[calls.parent[node]]);
}

function invert(calls) {
  const { selfNow: now, selfBase: base, selfSize: size } = calls;
  return new CallerTree(calls, ROOT, nodesWhere(calls, (node) => size[node]), { now, base, size });
}

// The nodes of a row, of those in one stack the lowest: above it are all its callers.
function callersOf(calls, row) {
  return new CallerTree(calls, row, nodesWhere(calls, (node) => calls.row[node] === row), calls.sumUp(row));
}

// The nodes of a row, of those in one stack the topmost: below it is all that it calls.
function calleesOf(calls, row) {
  const { now, base, size, selfNow, selfBase } = calls;
  const starts = topmost(calls, new Uint8Array(row + 1).fill(1, row));
  return new MergedTree(calls, row, starts, { now, base, size, selfNow, selfBase }, (member, visit) => {
    for (const child of calls.children(member)) visit(child, calls.row[child]);
  });
}

// By row: what ends in its nodes, and what goes through them, where each stack counts once.
function sumRows({ n, parent, row, nRows, ends }, { of, into, row: left }, values) {
  const flat = new Float64Array(nRows);
  into.forEach((node, i) => (flat[left[node]] += values[i]));
  const all = scatter(n, ends.map((end, i) => into[i] && end), values);
  const last = new Uint32Array(n).map((_, i) => i); // of those below, which follow
  for (let i = n - 1; i > 0; i--) {
    all[parent[i]] += all[i];
    last[parent[i]] = max(last[parent[i]], last[i]);
  }
  const cum = new Float64Array(nRows);
  const counted = new Uint32Array(nRows); // up to this node
  for (let i = 1; i < n; i++) {
    if (left[of[i]] !== row[i] || i <= counted[row[i]]) continue;
    cum[row[i]] += all[i];
    counted[row[i]] = last[i];
  }
  return { flat, cum };
}

// ---- the model ----

class Model {
  constructor(profile) {
    Object.assign(this, { profile, held: {} });
  }

  // What was made last under the name, where it was of the same key.
  keep(name, key, make) {
    if (this.held[name]?.key !== key) this.held[name] = { key, value: make() };
    return this.held[name].value;
  }

  key({ filters, type, scale, span }) { return JSON.stringify([filters, type, scale, span]); }

  scene({ filters }) {
    return this.keep('scene', this.key({ filters }), () => makeScene(this.profile, filters));
  }

  // The sets that a span is of, the later one first: '3' is the third snapshot alone, '2-5' a difference, '' that of all.
  sets({ span }) {
    const { head, snapshots } = this.profile;
    if (span) return span.split('-').reverse().map((number) => snapshots[number - 1].set);
    return head.sets > 1 ? [0, 1] : [0];
  }

  isDifference(state) { return this.sets(state).length > 1; }

  // What column(set) gives, of the profile and where there is one of its base. Where that is asked for, the profile is
  // scaled to the total of the base.
  sides(state, column) {
    const [now, base] = this.sets(state).map(column);
    if (!base) return [now];
    if (state.scale === 'absolute') return [now, base];
    const { profile_total: total, base_total: wanted } = this.profile.head.types[state.type];
    return [now.map((value, i) => settle(base[i], total && (value * wanted) / total)), base];
  }

  // What percentages are of. Of a span it is as near as nodes are to samples, of which some have been added up.
  divisor(state) {
    const type = this.profile.head.types[state.type];
    if (!state.span) return state.scale === 'absolute' ? type.divisor : type.scaled_divisor;
    return this.keep('divisor', this.key({ ...state, filters: [] }), () => {
      const [now, base] = this.endSelf(state);
      let [more, less] = [0, 0];
      now.forEach((value, i) => {
        const change = value - (base?.[i] ?? 0);
        if (change > 0) more += change;
        else less -= change;
      });
      return more + less;
    });
  }

  endSelf(state) { return this.sides(state, (set) => this.profile.endSelf(state.type, set)); }

  // Top down, whatever the layout.
  calls(state) {
    return this.keep('calls', this.key(state), () => {
      const scene = this.scene(state);
      return new CallTree(scene, ...this.endSelf(state).map((values) => scatter(scene.n, scene.into, values)));
    });
  }

  // The tree that a graph shows; of a row, what calls it or what it calls.
  tree(state, { row = -1, callers = false } = {}) {
    const calls = this.calls(state);
    const key = this.key(state) + row;
    if (row < 0) return state.layout === 'inverted' ? this.keep('inverted', key, () => invert(calls)) : calls;
    return this.keep('row' + callers, key, () => {
      const tree = (callers ? callersOf : calleesOf)(calls, row);
      tree.addRest(...this.rows(state).cum.map((column) => column[row]));
      return tree;
    });
  }

  total(state) {
    const { now, base } = this.calls(state);
    return { now: now[0], base: base ? base[0] : 0 };
  }

  // flat and cum, each a list of columns by row: of the profile and of its base. Without a filter they are those of the file,
  // for which nothing was folded.
  rows(state) {
    const { profile } = this;
    return this.keep('rows', this.key(state), () => {
      if (state.filters.length) {
        const sums = this.endSelf(state).map((values) => sumRows(profile, this.scene(state), values));
        return { flat: sums.map(({ flat }) => flat), cum: sums.map(({ cum }) => cum) };
      }
      const both = (column) => this.sides(state, (set) => column(state.type, set));
      return { flat: both(profile.flat), cum: both(profile.cum) };
    });
  }

  // By row, where something is searched: whether it is found.
  hits({ search }) {
    return search ? this.keep('hits', search, () => matchRows(this.profile, '(?i)' + search)) : null;
  }

  // What the stacks have in which a frame is found, and of how many rows those are.
  search(state) {
    const hits = this.hits(state);
    const calls = this.calls(state);
    const found = topmost(calls, hits);
    const sum = (column) => found.reduce((total, node) => total + column[node], 0);
    const rows = new Set(calls.row.filter((row, node) => hits[row] && calls.size[node]));
    return { total: sum(calls.now), base: calls.base ? sum(calls.base) : 0, rows: rows.size };
  }

  // The name of what a node of a tree shows.
  name({ row, folded }, node) {
    if (row[node] === FOLDED) return folded[node] ? `(small: ${folded[node]} nodes)` : '(in small nodes)';
    if (row[node] === NO_STACK) return '(no stack)';
    return row[node] === ROOT ? 'all' : this.profile.label(row[node]);
  }
}
