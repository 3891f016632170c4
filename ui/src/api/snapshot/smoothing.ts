/** Smooths a series as `smoothing.py` of the server does, but for rounding. */
const RANGE_OF_STEPS = 1000;
const GAUSSIAN_REACH = 4;
const LARGE = 1e150;
/** A power of two, so that the division is exact. */
const SCALE = 2 ** 600;

/** `smoothing` is `ema:0.6`, for example. Non-finite points keep their values. */
export function smoothed(step: Float64Array, value: Float64Array, smoothing: string): Float64Array {
  const [kind = '', text = ''] = smoothing.split(':');
  const finite = Array.from(value.keys()).filter((at) => Number.isFinite(value[at]));
  const result = value.slice();
  const strength = Number(text);
  if (finite.length < 2 || strength === 0) return result;
  const x = Float64Array.from(finite, (at) => step[at] ?? 0);
  const y = Float64Array.from(finite, (at) => value[at] ?? 0);
  const scale = y.some((one) => Math.abs(one) > LARGE) ? SCALE : 1;
  const mean = meanOf(
    kind,
    strength,
    x,
    y.map((one) => one / scale),
  );
  finite.forEach((at, i) => (result[at] = scale * (mean[i] ?? NaN)));
  return result;
}

function meanOf(kind: string, strength: number, x: Float64Array, y: Float64Array): Float64Array {
  switch (kind) {
    case 'ema':
      return decayed(y, () => strength);
    case 'twema': {
      const range = rangeOf(x);
      return decayed(y, (i) =>
        Math.exp((Math.log(strength) * RANGE_OF_STEPS * ((x[i] ?? 0) - (x[i - 1] ?? 0))) / range),
      );
    }
    case 'mean': {
      const width = Math.min(Math.floor(strength), 2 * y.length);
      const behind = Math.floor(width / 2);
      return weighted(y, behind, width - behind - 1, () => 1);
    }
    case 'gaussian': {
      const reach = Math.min(y.length - 1, Math.ceil(GAUSSIAN_REACH * strength));
      return weighted(y, reach, reach, (offset) => Math.exp(-0.5 * (offset / strength) ** 2));
    }
    default:
      return y;
  }
}

/** Mean of the points up to each; `decay(i)` is the factor for all points before point i. */
function decayed(y: Float64Array, decay: (i: number) => number): Float64Array {
  let [sum, weight] = [0, 0];
  return y.map((one, i) => {
    const factor = i > 0 ? decay(i) : 0;
    sum = sum * factor + one;
    weight = weight * factor + 1;
    return sum / weight;
  });
}

/** Mean of the points around each, from so many behind to so many ahead. */
function weighted(
  y: Float64Array,
  behind: number,
  ahead: number,
  weightOf: (offset: number) => number,
): Float64Array {
  const weights = Float64Array.from({ length: behind + ahead + 1 }, (_, i) => weightOf(i - behind));
  return y.map((_, i) => {
    let [sum, weight] = [0, 0];
    for (let j = Math.max(0, i - behind); j <= Math.min(y.length - 1, i + ahead); j++) {
      const one = weights[j - i + behind] ?? 0;
      sum += one * (y[j] ?? 0);
      weight += one;
    }
    return sum / weight;
  });
}

/** The range of ascending steps, rounded up to five binary digits; at least 1. */
function rangeOf(x: Float64Array): number {
  const range = Math.max(1, (x.at(-1) ?? 0) - (x[0] ?? 0));
  const unit = 2 ** (Math.floor(Math.log2(range)) - 4);
  return Math.ceil(range / unit) * unit;
}
