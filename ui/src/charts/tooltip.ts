import {
  formatColumn,
  formatDeviating,
  formatDuration,
  formatStep,
  formatTime,
  formatValue,
} from '@/base/format';
import type { Area, Size } from '@/base/shapes';
import type { InjectionKey, Ref } from 'vue';

import type { Line, ValueAxis } from './line';
import { shownMarks } from './marks';
import type { Near } from './nearest';
import type { Projection } from './paint';

/** Rows of a tooltip that is not pinned. */
export const SHORT = 5;
/** Rows of a pinned one, which scrolls. */
const LONG = 500;

/** The element that tooltips are put into instead of the page's body. */
export const TOOLTIP_LAYER: InjectionKey<Readonly<Ref<HTMLElement | null>>> = Symbol('tooltips');

export interface TooltipWords {
  readonly line: string;
  readonly value: string;
  readonly smoothed: string;
  readonly raw: string;
  readonly step: string;
  readonly time: string;
}

export interface TooltipRow {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
  /** Below the column heads. */
  readonly cells: readonly string[];
}

export interface TooltipContent {
  readonly heads: readonly string[];
  readonly rows: readonly TooltipRow[];
  readonly more: number;
}

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
}

export function tooltipContent(
  near: readonly Near[],
  axis: ValueAxis,
  words: TooltipWords,
  pinned: boolean,
): TooltipContent | null {
  if (near.length === 0) return null;
  const shown = near.slice(0, pinned ? LONG : SHORT);
  const columns = columnsOf(shown, axis, words).filter(({ cells }) => cells.some(Boolean));
  return {
    heads: columns.map(({ head }) => head),
    rows: shown.map(({ line }, row) => ({
      id: line.id,
      label: line.label,
      color: line.color,
      dash: line.dash,
      cells: columns.map(({ cells }) => cells[row] ?? ''),
    })),
    more: near.length - shown.length,
  };
}

function columnsOf(shown: readonly Near[], axis: ValueAxis, words: TooltipWords): Column[] {
  const smoothed = shown.some(({ line }) => line.raw);
  return [
    { head: smoothed ? words.smoothed : words.value, cells: valuesOf(shown) },
    {
      head: words.raw,
      cells: formatColumn(
        shown.map(({ line, index }) => (line.raw ? (line.raw[index] ?? NaN) : null)),
      ),
    },
    {
      head: words.step,
      cells: shown.map(({ line, index }) => {
        const step = line.step[index] ?? NaN;
        return Number.isNaN(step) ? '' : formatStep(step);
      }),
    },
    {
      head: words.time,
      cells: shown.map(({ line, index }) => {
        const time = line.wallTime[index] ?? NaN;
        if (Number.isNaN(time)) return '';
        return axis === 'wall' ? formatTime(time) : formatDuration(time - line.origin);
      }),
    },
  ];
}

function valuesOf(shown: readonly Near[]): string[] {
  const numbers = formatColumn(shown.map(({ line, index }) => line.y[index] ?? NaN));
  return shown.map((near, i) => {
    if (near.line.count) return groupValue(near);
    // The raw value beside it says whether it is NaN or infinite.
    const isMissing = near.line.raw && !Number.isFinite(near.line.y[near.index]);
    return isMissing ? '–' : (numbers[i] ?? '');
  });
}

/** With the spread and the number of runs: `0.768 ± 0.003 (n=5)`. */
function groupValue({ line, index }: Near): string {
  const value = line.y[index] ?? NaN;
  const n = line.count?.[index] ?? 0;
  const deviation = line.deviation?.[index] ?? NaN;
  if (line.deviation) return `${formatDeviating(value, deviation)} (n=${n})`;
  const [low, high] = [line.band?.low[index] ?? NaN, line.band?.high[index] ?? NaN];
  const range = line.band && n > 1 ? ` [${formatValue(low)}, ${formatValue(high)}]` : '';
  return `${formatValue(value)}${range} (n=${n})`;
}

const GAP = 8;
/** Height of the labels below the plot. */
const LABELS = 30;

/**
 * Beside the plot, where it covers nothing of it: below, above, right or left. In a plot that fills
 * the window: on the side where the pointer is not. In a narrow window: at its bottom or top,
 * whichever covers less of the plot.
 */
export function dockedPlace(
  plot: Area,
  box: Size,
  within: Size,
  pointer: number,
): { left: number; top: number } {
  const left = clamped(plot.left, within.width - box.width);
  const below = plot.top + plot.height + LABELS;
  if (below + box.height + GAP <= within.height) return { left, top: below };
  const above = plot.top - GAP - box.height;
  if (above >= GAP) return { left, top: above };
  const top = clamped(plot.top, within.height - box.height);
  const right = plot.left + plot.width + GAP;
  if (right + box.width + GAP <= within.width) return { left: right, top };
  const before = plot.left - 7 * GAP - box.width;
  if (before >= GAP) return { left: before, top };
  if (box.width > plot.width / 2) {
    const low = within.height - box.height - GAP;
    const coveredFromBelow = plot.top + plot.height - low;
    const coveredFromAbove = GAP + box.height - plot.top;
    return { left, top: coveredFromBelow < coveredFromAbove ? low : GAP };
  }
  const isRight = pointer > plot.left + plot.width / 2;
  const inside = isRight ? plot.left + GAP : plot.left + plot.width - GAP - box.width;
  return { left: clamped(inside, within.width - box.width), top };
}

const clamped = (at: number, most: number): number => Math.max(GAP, Math.min(at, most - GAP));

export function markAt(
  lines: readonly Line[],
  projection: Pick<Projection, 'x' | 'visible'>,
  x: number,
  aboveFloor: number,
  more: (count: number) => string,
): string {
  if (aboveFloor > 16) return '';
  const at = projection.x(x);
  for (const line of lines) {
    const mark = shownMarks(line, projection).find(({ left }) => Math.abs(left - at) <= 6);
    if (!mark) continue;
    const label = `${line.label}: ${mark.label}`;
    return mark.count > 1 ? `${label} ${more(mark.count - 1)}` : label;
  }
  return '';
}
