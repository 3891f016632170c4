import type { ScalarSeries } from '@/api/scalars';

/** Something about the points of a series that somebody should know. */
export interface Sign {
  readonly kind: 'restart' | 'nan' | 'infinite' | 'gap' | 'clock' | 'replaced';
  readonly step: number;
  /** Seconds, or how many, by the kind. */
  readonly size: number;
}

/** A pause this many times as long as the usual one, and this many seconds, is a gap. */
const GAP_TIMES = 20;
const GAP_SECONDS = 60;

/** What is odd in a series; of each kind the first place, of restarts all. */
export function signsOf(series: ScalarSeries, restarts: readonly number[]): Sign[] {
  const { step, value, wall_time: time } = series;
  const signs: Sign[] = restarts.map((at) => ({ kind: 'restart', step: at, size: 1 }));
  if (restarts.length === 0 && series.superseded > 0) signs.push({ kind: 'replaced', step: step[0] ?? 0, size: series.superseded });
  const nan = value.findIndex(Number.isNaN);
  if (nan >= 0) signs.push({ kind: 'nan', step: step[nan] ?? 0, size: value.filter(Number.isNaN).length });
  const infinite = value.findIndex((one) => Math.abs(one) === Infinity);
  if (infinite >= 0) signs.push({ kind: 'infinite', step: step[infinite] ?? 0, size: 1 });
  const pauses = time.subarray(1).map((at, i) => at - (time[i] ?? NaN));
  const usual = [...pauses].filter((pause) => pause > 0).sort((a, b) => a - b);
  const median = usual[Math.floor(usual.length / 2)] ?? NaN;
  let longest = -1;
  pauses.forEach((pause, i) => { if (pause > Math.max(GAP_SECONDS, GAP_TIMES * median) && pause > (pauses[longest] ?? 0)) longest = i; });
  if (longest >= 0) signs.push({ kind: 'gap', step: step[longest + 1] ?? 0, size: pauses[longest] ?? 0 });
  const back = pauses.findIndex((pause) => pause < -1);
  // A restart in another place has another clock: that is no news.
  if (back >= 0 && restarts.length === 0) signs.push({ kind: 'clock', step: step[back + 1] ?? 0, size: -(pauses[back] ?? 0) });
  return signs;
}

/** A link to the place in the chart: the tag of that run, and some steps around. */
export function linkOf(trainId: string, tag: string, step: number, last: number): string {
  const around = Math.max(10, Math.round(last / 20));
  const query = new URLSearchParams({
    runs: trainId.replace(/^\.\//, '').replaceAll('%', '%25').replaceAll('~', '%7E'),
    tags: `^${tag.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
    zoom: `${Math.max(0, step - around)}..${step + around}`,
  });
  return `#/scalar?${query.toString().replaceAll('+', '%20')}`;
}
