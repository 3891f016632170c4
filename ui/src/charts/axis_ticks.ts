import { formatDurationTick, formatTick, formatTimeTick } from '@/base/format';

import type { Range, ValueAxis } from './line';
import { durationTicks, linearTicks, logTicks, spansDecades, timeTicks } from './ticks';

export interface LabelledTicks {
  readonly at: readonly number[];
  readonly label: (tick: number) => string;
}

const MAX_TICKS = 6;
const ROOM = { x: 72, y: 34 };
const DIGIT = 7;

export function xTicks(range: Range, width: number, axis: ValueAxis, log: boolean): LabelledTicks {
  const ticks = atMost(mostTicks(width, ROOM.x), range, axis, log);
  const longest = Math.max(...ticks.at.map((tick) => ticks.label(tick).length * DIGIT));
  return longest + DIGIT < ROOM.x
    ? ticks
    : atMost(mostTicks(width, longest + DIGIT), range, axis, log);
}

function atMost(most: number, range: Range, axis: ValueAxis, log: boolean): LabelledTicks {
  const labelOf = (tick: number, increment: number, largest?: number): string =>
    axis === 'relative'
      ? formatDurationTick(tick, increment)
      : formatTick(tick, increment, largest);
  if (log) return { at: logTicks(range, most).at, label: (tick) => labelOf(tick, tick) };
  if (axis === 'wall') {
    const ahead = -60 * new Date(range[0] * 1000).getTimezoneOffset();
    const { at, increment } = timeTicks(range, most, ahead);
    return { at, label: (tick) => formatTimeTick(tick, increment) };
  }
  const { at, increment } =
    axis === 'relative' ? durationTicks(range, most) : linearTicks(range, most, axis === 'step');
  if (axis !== 'step') return { at, label: (tick) => labelOf(tick, increment, largest(at)) };
  return {
    at: at.filter(Number.isInteger),
    label: (tick) => labelOf(tick, Math.max(1, increment)),
  };
}

export function yTicks(range: Range, height: number, log: boolean): LabelledTicks {
  const most = mostTicks(height, ROOM.y);
  if (!log) {
    const { at, increment } = linearTicks(range, most);
    return { at, label: (tick) => formatTick(tick, increment, largest(at)) };
  }
  const { at, increment } = logTicks(range, most);
  return { at, label: (tick) => formatTick(tick, spansDecades(range) ? tick : increment) };
}

const largest = (at: readonly number[]): number => Math.max(...at.map(Math.abs));

function mostTicks(pixels: number, room: number): number {
  return Math.max(2, Math.min(MAX_TICKS, Math.floor(pixels / room)));
}
