// Values to text, as the tables of a terminal show them.

// Name, factor, and how the unit may be spelled in a profile; of each family from small to large.
const UNIT_FAMILIES = [
  {
    usual: 'B',
    units: [['B', 1, 'b byte'], ['kB', 2 ** 10, 'kb kbyte kilobyte'], ['MB', 2 ** 20, 'mb mbyte megabyte'],
      ['GB', 2 ** 30, 'gb gbyte gigabyte'], ['TB', 2 ** 40, 'tb tbyte terabyte'], ['PB', 2 ** 50, 'pb pbyte petabyte']],
  },
  {
    usual: 's',
    units: [['ns', 1, 'ns nanosecond'], ['us', 1e3, 'us \u03bcs microsecond'], ['ms', 1e6, 'ms millisecond'],
      ['s', 1e9, 's sec second'], ['hrs', 3600e9, 'hrs hour hr']],
  },
  {
    usual: 'GCU',
    units: ['n nano 1e-9', 'u micro 1e-6', 'm milli 1e-3', '  1', 'k kilo 1e3', 'M mega 1e6', 'G giga 1e9', 'T tera 1e12',
      'P peta 1e15'].map((text) => {
      const [letter, prefix, factor] = text.split(' ');
      return [letter ? letter + '*GCU' : 'GCU', Number(factor), prefix + 'gcu'];
    }),
  },
];

function findUnit(text) {
  let name = text.toLowerCase();
  for (let plural = 0; plural < 2; plural++) {
    for (const { usual, units } of UNIT_FAMILIES)
      for (const unit of units)
        if (unit[2].split(' ').includes(name)) return { usual, units, factor: unit[1] };
    if (name.length <= 2 || !name.endsWith('s')) return null;
    name = name.slice(0, -1);
  }
  return null;
}

// How values are shown: divided by factor, whole or with decimals, with the name behind.
function styleOf(found, [name, factor]) {
  return { factor: factor / found.factor, isWhole: factor === found.factor, name };
}

function autoStyle(unit, value) {
  const found = findUnit(unit);
  if (!found) return { factor: 1, isWhole: true, name: ['count', 'samples', 'sample'].includes(unit) ? '' : unit };
  const fits = found.units.filter(([, factor]) => (Math.abs(value) * found.factor) / factor >= 1);
  return styleOf(found, fits.pop() ?? found.units.find(([name]) => name === found.usual));
}

// The unit of the smallest value, unless a hundred of them still are less than the total.
function minimumStyle(unit, total, smallest) {
  if (!smallest) return autoStyle(unit, total);
  const small = autoStyle(unit, smallest);
  if (small.factor !== autoStyle(unit, total).factor && 100 * Math.abs(smallest) < Math.abs(total))
    return autoStyle(unit, 100 * smallest);
  return small;
}

// wanted: a name of the unit's family, 'auto' (by the total), or '' or 'minimum' (by the smallest value).
function chooseStyle(wanted, unit, total, smallest) {
  const found = findUnit(unit);
  const named = wanted && findUnit(wanted);
  if (wanted === 'auto') return autoStyle(unit, total);
  if (found && named && named.usual === found.usual)
    return styleOf(found, found.units.find(([, factor]) => factor === named.factor));
  const byName = found?.units.find(([name]) => name === wanted);
  return byName ? styleOf(found, byName) : minimumStyle(unit, total, smallest);
}

// Rounded half away from zero, and held within 63 bits.
function wholeText(value) {
  const whole = Math.round(Math.abs(value));
  const digits = whole >= 2 ** 63 ? '9223372036854775807' : String(BigInt(whole));
  return (value < 0 && whole ? '-' : '') + digits;
}

// A tie goes to the even digit, as in C; toFixed and toPrecision would take it up.
function fromTie(size, scale) {
  return Number.isInteger(size * 16) && (size * scale) % 2 === 0.5 ? size - 0.1 / scale : size;
}

function twoDecimals(value) {
  const text = fromTie(Math.abs(value), 100).toFixed(2);
  return (value < 0 ? '-' : '') + text;
}

function twoDigits(size) {
  const [digits, power] = fromTie(size, size >= 0.1 ? 100 : 1000).toExponential(1).split('e');
  if (Number(power) >= -4) return String(Number(digits + 'e' + power));
  return Number(digits) + 'e-' + String(-power).padStart(2, '0');
}

function valueText(style, value) {
  const shown = value / style.factor;
  if (!Number.isFinite(shown)) return String(shown);
  const isWhole = style.isWhole || Math.abs(shown) >= 2 ** 63;
  const text = (isWhole ? wholeText(shown) : twoDecimals(shown)).replace('.00', '');
  return text === '0' || text === '-0' ? '0' : text + style.name;
}

const LEAST_PERCENT = 1e-10; // what is less, rounding has left

function percentText(value, total) {
  const percent = total ? (value * 100) / total : 0;
  const size = Math.abs(percent);
  const sign = percent < 0 ? '-' : '';
  if (size < LEAST_PERCENT) return '0%';
  if (size >= 99.95 && size <= 100.05) return sign + '100%';
  return sign + (size >= 1 ? twoDecimals(size) : twoDigits(size)) + '%';
}

// '+1.20MB (+34%)'
function changeText(style, base, now) {
  const change = now - base;
  const text = valueText(style, change);
  if (text === '0') return text;
  const sign = change > 0 ? '+' : '';
  if (!base || !now) return `${sign}${text} (${base ? 'gone' : 'new'})`;
  const percent = (change * 100) / Math.abs(base);
  return `${sign}${text} (${sign}${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)}%)`;
}
