const SI: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

const GROUPED = new Intl.NumberFormat('en-US');
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const AGO = new Map<string, Intl.RelativeTimeFormat>();

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** `8412331` -> `8.4M`; below 10,000 all digits: `2,000`. */
export function formatCount(count: number): string {
  if (count < 10_000) return GROUPED.format(count);
  for (const [factor, suffix] of SI) {
    // 999,500 would round to "1000k" instead of 1M.
    if (count >= factor * 0.9995) {
      const scaled = count / factor;
      return trimmed(scaled.toFixed(scaled < 99.95 ? 1 : 0)) + suffix;
    }
  }
  return GROUPED.format(count);
}

/** Below this, numbers are written as `5e-4`. */
const SMALL = 1e-3;

/** At most this many significant digits, without trailing zeros, never `-0`; integers completely. */
export function formatValue(value: number, significant = 5): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const rounded = Number(value.toPrecision(significant));
  if (rounded === 0) return '0';
  const size = Math.abs(rounded);
  if (size < SMALL || size >= 1e7) return minus(rounded.toExponential().replace('e+', 'e'));
  if (Number.isInteger(value)) return minus(GROUPED.format(value));
  return minus(groupedDigits(String(rounded)));
}

/** `0.768 ± 0.003`: the value with as many digits as its deviation justifies, at most six. */
export function formatDeviating(value: number, deviation: number): string {
  if (!(deviation > 0) || !Number.isFinite(value)) return formatValue(value);
  const decade = Math.floor(Math.log10(Math.abs(value) || deviation));
  const digits = decade - Math.min(0, decadeOf(deviation)) + 1;
  const text = formatValue(value, Math.max(1, Math.min(6, digits)));
  const spread = formatValue(deviation, 1);
  return `${digits > 6 ? text : withDecimals(text, decimalsOf(spread) ?? 0)} ± ${spread}`;
}

/** Decimals of a number as text; null: it has an exponent or is not finite. */
function decimalsOf(text: string): number | null {
  const match = /^−?[\d,]+(?:\.(\d+))?$/.exec(text);
  return match && (match[1]?.length ?? 0);
}

function withDecimals(text: string, count: number): string {
  const had = decimalsOf(text);
  if (had === null || had >= count) return text;
  return `${text}${had === 0 ? '.' : ''}${'0'.repeat(count - had)}`;
}

/** As wide as a decimal point and as a digit. */
const NO_POINT = '\u2008';
const NO_DIGIT = '\u2007';

/** Right-aligned values of a column: their decimal points are below each other. Null is empty. */
export function formatColumn(values: readonly (number | null)[], significant = 5): string[] {
  const texts = values.map((value) => (value === null ? '' : formatValue(value, significant)));
  const most = Math.max(0, ...texts.map((text) => decimalsOf(text) ?? 0));
  return texts.map((text, i) => {
    if (decimalsOf(text) === null) return text;
    const size = Math.abs(values[i] ?? 0);
    const known = size === 0 ? most : significant - 1 - Math.floor(Math.log10(size));
    const padded = withDecimals(text, Math.min(most, known));
    const decimals = decimalsOf(padded) ?? 0;
    return padded + (decimals === 0 && most > 0 ? NO_POINT : '') + NO_DIGIT.repeat(most - decimals);
  });
}

const decadeOf = (value: number): number =>
  Math.floor(Math.log10(Number(value.toPrecision(1))) + 1e-9);

/** A hyperparameter: only the digits that were set, of a seed all of them. */
export const formatSetting = (value: number): string =>
  Number.isSafeInteger(value) && Number(value.toPrecision(6)) !== value
    ? formatWhole(value)
    : formatValue(value, 6);

export const formatField = (field: string, value: number): string =>
  /^(metric|scalar)\/|^loss$/.test(field) ? formatValue(value) : formatSetting(value);

/** All digits, grouped: `8,412,331`. */
export const formatWhole = (count: number): string => minus(WHOLE.format(count));

export const formatStep = formatWhole;

/** A tick label with as many digits as ticks `increment` apart need; `largest` is that of the axis. */
export function formatTick(value: number, increment: number, largest = Math.abs(value)): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const digits = digitsBehindFirst(size, increment);
  // Large steps that differ by one need all digits.
  if (largest < SMALL || increment < 1e-6 || (size >= 1e15 && digits <= 4)) {
    const written = Number(value.toExponential(Math.min(digits, 6)));
    return minus(written.toExponential().replace('e+', 'e'));
  }
  for (const [factor, suffix] of SI) {
    if (size >= factor && (factor > 1e3 || size >= 1e4 || (increment >= 1e3 && largest >= 1e4))) {
      const places = decimals(increment / factor);
      if (places > 4) break;
      return minus(trimmed((value / factor).toFixed(places))) + suffix;
    }
  }
  return minus(groupedDigits(value.toFixed(decimals(increment))));
}

const groupedDigits = (text: string): string =>
  text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

function digitsBehindFirst(size: number, increment: number): number {
  const decade = Math.floor(Math.log10(increment) + 1e-9);
  return Math.max(0, Math.floor(Math.log10(size)) - decade + decimals(increment / 10 ** decade));
}

/** Decimals of an increment: 2.5 has one, 0.25 two, 20 none. */
function decimals(increment: number): number {
  let digits = Math.max(0, -Math.floor(Math.log10(increment) + 1e-9));
  const scaled = increment * 10 ** digits;
  if (Math.abs(scaled - Math.round(scaled)) > 1e-6) digits++;
  return digits;
}

export function minus(text: string): string {
  return text.replace(/-/g, '−').replace('e−', 'e-');
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  // Not `m`, which also means months and millions.
  [60, 'min'],
  [1, 's'],
];

/** `8040` -> `2h 14min`: at most two units; milliseconds below a second. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const sign = seconds < 0 ? '−' : '';
  const size = Math.abs(seconds);
  if (size === 0) return '0s';
  if (size < 1) return `${sign}${trimmed((size * 1000).toPrecision(3))}ms`;
  if (size < 60) return `${sign}${trimmed(size.toFixed(size < 10 ? 1 : 0))}s`;
  let rest = Math.round(size);
  const parts: string[] = [];
  for (const [length, unit] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return sign + parts.join(' ');
}

export function formatDurationTick(seconds: number, increment: number): string {
  if (seconds === 0) return '0';
  for (const [length, unit] of UNITS) {
    if (
      increment >= length ||
      (length > 1 && Math.abs(seconds) >= length && increment * 4 >= length)
    ) {
      return `${minus(trimmed((seconds / length).toFixed(2)))}${unit}`;
    }
  }
  return `${formatTick(seconds, increment)}s`;
}

/** Local time as `2026-11-21 14:03:05`: independent of language, sortable. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '–';
  const two = (part: number): string => String(part).padStart(2, '0');
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}

/** Local time for ticks `increment` seconds apart. */
export function formatTimeTick(seconds: number, increment: number): string {
  const text = formatTime(seconds);
  if (increment >= 86_400) return text.slice(5, 10);
  if (text.endsWith('00:00:00')) return text.slice(5, 10);
  if (increment >= 60) return text.slice(11, 16);
  return increment >= 1
    ? text.slice(11, 19)
    : `${text.slice(17, 19)}.${fraction(seconds, increment)}`;
}

function fraction(seconds: number, increment: number): string {
  const digits = Math.min(6, Math.max(1, -Math.floor(Math.log10(increment) + 1e-9)));
  return (seconds - Math.floor(seconds)).toFixed(digits).slice(2);
}

export function formatBytes(bytes: number): string {
  let size = bytes;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (size < 1024) return `${trimmed(size.toFixed(unit === 'B' || size >= 100 ? 0 : 1))} ${unit}`;
    size /= 1024;
  }
  return `${trimmed(size.toFixed(1))} TiB`;
}

export function formatAgo(seconds: number, locale: string): string {
  const known = AGO.get(locale);
  const format = known ?? new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  if (!known) AGO.set(locale, format);
  const size = Math.max(0, seconds);
  if (size < 60) return format.format(-Math.round(size), 'second');
  if (size < 3_600) return format.format(-Math.round(size / 60), 'minute');
  if (size < 86_400) return format.format(-Math.round(size / 3_600), 'hour');
  if (size < 86_400 * 60) return format.format(-Math.round(size / 86_400), 'day');
  if (size < 86_400 * 730) return format.format(-Math.round(size / (86_400 * 30.4)), 'month');
  return format.format(-Math.round(size / (86_400 * 365.25)), 'year');
}
