import { expect, test } from 'vitest';

import { line } from './lines_for_tests';
import { packed, unpacked } from './packed_lines';

test('lines are unpacked unchanged, with shared arrays stored once', () => {
  const x = Float64Array.from([1, 2, 3]);
  const band = {
    x,
    low: Float64Array.from([0, NaN, 0]),
    high: Float64Array.from([9, 9, Infinity]),
  };
  const lines = [
    { ...line('a', [], [4, 5, NaN], { dash: [4, 2], raw: Float64Array.from([7, 8, 9]), band }), x },
    { ...line('b', [], [-1, -2, -3]), x },
    line('empty', [], []),
  ];
  const pack = packed(lines);
  expect(pack.numbers).toHaveLength(3 + 3 + 3 + 3 + 3 + 3);
  expect(unpacked(structuredClone(pack))).toEqual(
    lines.map(({ id, color, dash, x: at, y, raw, band: around }) => ({
      id,
      color,
      dash,
      x: at,
      y,
      raw,
      band: around,
    })),
  );
});

test('a slice of an array is packed without the rest', () => {
  const whole = Float64Array.from({ length: 100 }, (_, i) => i);
  const pack = packed([
    { ...line('a', [], []), x: whole.subarray(10, 12), y: whole.subarray(50, 52) },
  ]);
  expect([...pack.numbers]).toEqual([10, 11, 50, 51]);
});
