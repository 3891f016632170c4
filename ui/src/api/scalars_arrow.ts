import { tableFromIPC } from '@uwdata/flechette';

import type { ScalarAnswer, ScalarUpdate } from './scalars';
import { logTag } from './tags';

interface SeriesFacts {
  readonly train_id: string;
  /** The logged tag, or else the formula. */
  readonly tag?: string;
  readonly formula?: string;
  readonly total: number;
  readonly superseded?: number;
  readonly writers?: readonly string[];
  readonly in_range: number;
  readonly without_x?: number;
  readonly points: number;
  readonly reset?: boolean;
  readonly truncate_from_step?: number | null;
}

/** All points are in one batch. Times and values are views of the stream, not copies. */
export function seriesOfArrow(stream: Uint8Array): ScalarAnswer {
  const table = tableFromIPC(stream, { useBigInt: true });
  const about = JSON.parse(
    table.schema.metadata?.get('mindviz') ?? '{"cursor":"","series":[]}',
  ) as { cursor: string; series: readonly SeriesFacts[] };
  const step = numbers(table.getChild('step').toArray());
  const wallTime = numbers(table.getChild('wall_time').toArray());
  const value = numbers(table.getChild('value').toArray());
  const column = (field: string): Float64Array | null =>
    table.schema.fields.some(({ name }) => name === field)
      ? numbers(table.getChild(field).toArray())
      : null;
  const smoothed = column('smoothed');
  const x = column('x');
  let end = 0;
  const series = about.series.map((facts): ScalarUpdate => {
    const first = end;
    end += facts.points;
    return {
      train_id: facts.train_id,
      tag: facts.formula ?? logTag('scalar', facts.tag ?? ''),
      step: step.subarray(first, end),
      wall_time: wallTime.subarray(first, end),
      value: value.subarray(first, end),
      ...(smoothed && { smoothed: smoothed.subarray(first, end) }),
      ...(x && { x: x.subarray(first, end), withoutX: facts.without_x ?? 0 }),
      total: facts.total,
      superseded: facts.superseded ?? 0,
      ...(facts.writers && { writers: facts.writers }),
      inRange: facts.in_range,
      reset: facts.reset ?? true,
      truncate_from_step: facts.truncate_from_step ?? null,
    };
  });
  return { cursor: about.cursor, series };
}

/** An Arrow column as float64; steps beyond 2^53 lose digits. */
export function numbers(column: unknown): Float64Array {
  if (column instanceof Float64Array) return column;
  if (column instanceof BigInt64Array) return ofIntegers(column);
  if (Array.isArray(column) && column.length === 0) return new Float64Array();
  throw new TypeError('The answer is not made of numbers.');
}

/** From 32-bit halves: creating BigInts takes ten times as long. */
function ofIntegers(column: BigInt64Array): Float64Array {
  const halves = new Int32Array(column.buffer, column.byteOffset, 2 * column.length);
  const values = new Float64Array(column.length);
  for (let i = 0; i < values.length; i++)
    values[i] = (halves[2 * i + 1] ?? 0) * 2 ** 32 + ((halves[2 * i] ?? 0) >>> 0);
  return values;
}
