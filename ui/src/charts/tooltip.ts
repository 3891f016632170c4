import { formatDuration, formatStep, formatTime, formatValue } from '@/base/format';

import type { Line, ValueAxis } from './line';
import type { Near } from './nearest';

const MAX_ROWS = 5;

export interface TooltipRow {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly value: string;
  readonly raw: string | null;
  readonly step: string | null;
}

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  readonly more: number;
}

export function tooltipContent(
  near: readonly Near[],
  axis: ValueAxis,
  stepWord: string,
): TooltipContent | null {
  const nearest = near[0];
  if (!nearest) return null;
  const { line, index } = nearest;
  return {
    title: titleOf(line, index, axis, stepWord),
    rows: near.slice(0, MAX_ROWS).map((one) => rowOf(one, line.step[index], stepWord)),
    more: Math.max(0, near.length - MAX_ROWS),
  };
}

function titleOf(line: Line, index: number, axis: ValueAxis, stepWord: string): string {
  const step = line.step[index] ?? NaN;
  const time = timeOf(line, index, axis);
  // Several runs share only the x.
  if (Number.isNaN(step)) return time;
  return time === '–'
    ? `${stepWord} ${formatStep(step)}`
    : `${stepWord} ${formatStep(step)} · ${time}`;
}

function timeOf(line: Line, index: number, axis: ValueAxis): string {
  const time = line.wallTime[index] ?? NaN;
  return axis === 'wall' ? formatTime(time) : formatDuration(time - line.origin);
}

function rowOf(
  { line, index, aside }: Near,
  titled: number | undefined,
  stepWord: string,
): TooltipRow {
  const step = line.step[index] ?? NaN;
  const raw = line.raw?.[index];
  const count = line.count?.[index];
  return {
    id: line.id,
    label: line.label,
    color: line.color,
    dash: line.dash,
    value: formatValue(line.y[index] ?? NaN),
    raw: count !== undefined ? `n = ${count}` : raw === undefined ? null : formatValue(raw),
    step:
      aside && step !== titled && Number.isFinite(step) ? `${stepWord} ${formatStep(step)}` : null,
  };
}

export function besidePoint(
  point: { left: number; top: number },
  box: { width: number; height: number },
  within: { width: number; height: number },
): { left: number; top: number } {
  const gap = 18;
  const fitsRight = point.left + gap + box.width + 8 <= within.width;
  const fitsLeft = point.left - gap - box.width >= 8;
  const top = Math.max(8, Math.min(point.top - box.height / 2, within.height - box.height - 8));
  if (fitsRight || fitsLeft) {
    return { left: fitsRight ? point.left + gap : point.left - gap - box.width, top };
  }
  const left = Math.max(8, Math.min(point.left - box.width / 2, within.width - box.width - 8));
  const above = point.top - gap - box.height;
  return { left, top: above >= 8 ? above : point.top + gap };
}

export function markAt(
  lines: readonly Line[],
  projection: { readonly x: (value: number) => number },
  x: number,
  aboveFloor: number,
): string {
  if (aboveFloor > 16) return '';
  const left = projection.x(x);
  for (const line of lines) {
    const mark = line.marks.find((one) => Math.abs(projection.x(one.x) - left) <= 6);
    if (mark) return `${line.label}: ${mark.label}`;
  }
  return '';
}
