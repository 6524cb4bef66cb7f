// The data block: columns, as docs/html-report.md describes them.

const { abs, ceil, floor, max, min, round } = Math;

// In the place of a row.
const FOLDED = 0xffffffff;
const NO_STACK = 0xfffffffe;
const ROOT = 0xfffffffd;

const NO_SHAPE = 255; // of a row that is in no snapshot

async function inflate(text) {
  // Without line ends it is twice as fast.
  const packed = atob(text.replace(/\s/g, ''));
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

// The head, and by name the list of its columns as typed arrays.
function takeApart(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = ceil((4 + length) / 8) * 8;
  const kinds = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array };
  const columns = {};
  for (const [name, kind, n, at] of head.columns)
    (columns[name] ??= []).push(new kinds[kind](buffer, start + at, n));
  return { head, columns };
}

// The root and all nodes, each behind its caller: parent and row, and of those that are FOLDED, how many they stand for.
function readNodes({ up: [up], row: [rows], folded: [counts] }) {
  const n = up.length + 1;
  const [parent, row, folded] = [new Int32Array(n).fill(-1, 0, 1), new Uint32Array(n).fill(ROOT, 0, 1), new Uint32Array(n)];
  row.set(rows, 1);
  let nFolded = 0;
  for (let i = 1; i < n; i++) {
    parent[i] = up[i - 1] && i - up[i - 1];
    if (row[i] === FOLDED) folded[i] = counts[nFolded++];
  }
  return { n, parent, row, folded };
}

const areAll = (list, count, length) => list.length === count && list.every((column) => column.length === length);

// Whether each set is that of one snapshot, and all is there that the timeline shows.
function areSound({ nRows, snapshots, head: { types, sets, shapes } }, { score = [], churn = [], shape = [] }) {
  if (!snapshots) return true;
  const found = new Set(snapshots.map(({ set }) => set));
  return sets === snapshots.length && sets > 1 && snapshots.every((_, set) => found.has(set)) &&
    types.every(({ totals }) => totals.length === sets) && [score, churn, shape].every((list) => areAll(list, types.length, nRows)) &&
    shape.every((column) => column.every((one) => one in shapes || one === NO_SHAPE));
}

// Whether columns are as long as they should be, callers stand before what they call, and what is named exists.
function isSound({ n, nRows, ends, row, parent, head: { types, type, sets } }, columns, nTexts) {
  const { label, file, object, self, flat, cum, folded: [counts] } = columns;
  const nColumns = types.length * sets;
  return type in types && columns.row[0].length === n - 1 &&
    areAll([...label, ...file, ...object], 3, nRows) && [flat, cum].every((list) => areAll(list, nColumns, nRows)) &&
    areAll(self, nColumns, ends.length) && row.filter((one) => one === FOLDED).length === counts.length &&
    row.every((one, i) => one < nRows || one >= NO_STACK || !i) && parent.every((caller, i) => caller < i && (caller >= 0 || !i)) &&
    ends.every((end) => end > 0 && end < n) && [label, file, object].every(([texts]) => texts.every((text) => text < nTexts));
}

// A profile: nodes, of which 0 is the root, and rows, which are what nodes are of. ends are the nodes in which samples end,
// and endSelf(type, set) is a column by them; flat and cum are columns by row. With snapshots (name, set, and time where all
// have one), score, churn and shape are too.
async function loadProfile(text) {
  const { head, columns } = takeApart(await inflate(text));
  const strings = new TextDecoder().decode(columns.strings[0]).split('\0');
  let end = 1;
  const bySet = (list) => (type, set) => list[type * head.sets + set];
  const byType = (name) => (type) => columns[name][type];
  const profile = {
    ...readNodes(columns),
    head,
    snapshots: head.snapshots,
    nRows: columns.label[0].length,
    ends: columns.end[0].map((distance) => (end += distance)),
    endSelf: bySet(columns.self),
    label: (i) => strings[columns.label[0][i]],
    file: (i) => strings[columns.file[0][i]],
    object: (i) => strings[columns.object[0][i]],
    flat: bySet(columns.flat),
    cum: bySet(columns.cum),
    score: byType('score'),
    churn: byType('churn'),
    shape: byType('shape'),
  };
  if (!isSound(profile, columns, strings.length) || !areSound(profile, columns)) throw new Error('columns contradict one another');
  return profile;
}
