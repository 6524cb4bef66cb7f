// Values to text, as the tables of a terminal show them.

// How values are shown: divided by factor, whole or with decimals, with the name behind.
const styleOf = ([name, factor]) => ({ factor, isWhole: factor === 1, name });

// units: of the type, name and factor from small to large; usual: the name of the one for what is less than any.
function autoStyle({ units, usual }, value) {
  return styleOf(units.findLast(([, factor]) => abs(value) / factor >= 1) ?? units.find(([name]) => name === usual));
}

// wanted: the name of a unit, 'auto' (by the total), or else by the smallest value (Infinity: none): its unit, unless a
// hundred of them still are less than the total.
function chooseStyle(wanted, type, total, smallest) {
  const unit = type.units.find(([name]) => name === wanted);
  if (unit) return styleOf(unit);
  const large = autoStyle(type, total);
  if (wanted === 'auto' || smallest === Infinity) return large;
  const small = autoStyle(type, smallest);
  const isFar = small.factor !== large.factor && 100 * smallest < total;
  return isFar ? autoStyle(type, 100 * smallest) : small;
}

// Rounded half away from zero, and held within 63 bits.
function wholeText(value) {
  const whole = round(abs(value));
  const digits = whole >= 2 ** 63 ? '9223372036854775807' : String(BigInt(whole));
  return (value < 0 && whole ? '-' : '') + digits;
}

// A tie goes to the even digit, as in C; toFixed and toPrecision would take it up.
function fromTie(size, scale) {
  return Number.isInteger(size * 16) && (size * scale) % 2 === 0.5 ? size - 0.1 / scale : size;
}

const twoDecimals = (value) => (value < 0 ? '-' : '') + fromTie(abs(value), 100).toFixed(2);

function twoDigits(size) {
  const [digits, power] = fromTie(size, size >= 0.1 ? 100 : 1000).toExponential(1).split('e');
  if (Number(power) >= -4) return String(Number(digits + 'e' + power));
  return Number(digits) + 'e-' + String(-power).padStart(2, '0');
}

function valueText(style, value) {
  const shown = value / style.factor;
  if (!Number.isFinite(shown)) return String(shown);
  const isWhole = style.isWhole || abs(shown) >= 2 ** 63;
  const text = (isWhole ? wholeText(shown) : twoDecimals(shown)).replace('.00', '');
  return text === '0' || text === '-0' ? '0' : text + style.name;
}

const LEAST_PERCENT = 1e-10; // what is less, rounding has left

function percentText(value, total) {
  const percent = total ? (value * 100) / total : 0;
  const size = abs(percent);
  const sign = percent < 0 ? '-' : '';
  if (size < LEAST_PERCENT) return '0%';
  if (size >= 99.95 && size <= 100.05) return sign + '100%';
  return sign + (size >= 1 ? twoDecimals(size) : twoDigits(size)) + '%';
}

// '+1.20MB (+34.00%)', in the words of --flame.
function changeText(style, base, now) {
  const change = now - base;
  if (!change) return 'no change';
  const sign = change > 0 ? '+' : '';
  const part = !base ? 'only now' : !now ? 'only in the base' : sign + percentText(change, abs(base));
  return `${sign}${valueText(style, change)} (${part})`;
}
