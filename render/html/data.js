// The data block: columns, as docs/html-report.md describes them.

// In the place of a row.
const FOLDED = 0xffffffff;
const NO_STACK = 0xfffffffe;

async function inflate(text) {
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
  const start = Math.ceil((4 + length) / 8) * 8;
  const kinds = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array };
  const columns = {};
  for (const [name, kind, n, at] of head.columns)
    (columns[name] ??= []).push(new kinds[kind](buffer, start + at, n));
  return { head, columns };
}

function splitStrings(bytes) {
  const texts = new TextDecoder().decode(bytes).split('\0');
  texts.pop();
  return texts;
}

// A column of n values, into which others are added at their places; those at -1 are left out.
function scatter(n, places, values) {
  const column = new Float64Array(n);
  for (let i = 0; i < places.length; i++) if (places[i] >= 0) column[places[i]] += values[i];
  return column;
}

// A profile: nodes (callers first) and rows, which are what nodes are of. ends are the nodes in which samples end, and
// endSelf(type, set) is a column by them; flat and cum by row. folded: of how many nodes those are made that are FOLDED.
async function loadProfile(text) {
  const { head, columns } = takeApart(await inflate(text));
  const strings = splitStrings(columns.strings[0]);
  const [up, row] = [columns.up[0], columns.row[0]];
  const parent = new Int32Array(up.length);
  for (let i = 0; i < up.length; i++) parent[i] = up[i] ? i - up[i] : -1;
  const ends = Int32Array.from(columns.end[0]);
  for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
  const foldedNodes = [];
  for (let i = 0; i < row.length; i++) if (row[i] === FOLDED) foldedNodes.push(i);
  const at = (type, set) => type * head.sets + set;
  const endSelf = (type, set) => columns.self[at(type, set)];
  return {
    head, parent, row, ends, endSelf,
    n: up.length,
    nRows: columns.label[0].length,
    folded: columns.folded[0],
    foldedNodes,
    label: (i) => strings[columns.label[0][i]],
    file: (i) => strings[columns.file[0][i]],
    object: (i) => strings[columns.object[0][i]],
    flat: (type, set) => columns.flat[at(type, set)],
    cum: (type, set) => columns.cum[at(type, set)],
  };
}
