import { describe, expect, test } from 'vitest';

import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDeviating,
  formatDuration,
  formatDurationTick,
  formatField,
  formatSetting,
  formatStep,
  formatTick,
  formatTimeTick,
  formatValue,
} from './format';

describe('counts', () => {
  test.each([
    [0, '0'],
    [2_000, '2,000'],
    [9_999, '9,999'],
    [10_000, '10k'],
    [8_412_331, '8.4M'],
    [999_500, '1M'],
    [123_456, '123k'],
    [7_000_000_000, '7G'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});

describe('values', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [NaN, 'NaN'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [0.3629, '0.3629'],
    [0.769354, '0.76935'],
    [0.0009, '9e-4'],
    [0.00005, '5e-5'],
    [0.001, '0.001'],
    [1_234.5678, '1,234.6'],
    [1.25, '1.25'],
    [-12.5, '−12.5'],
    [123_456, '123,456'],
    [1e-7, '1e-7'],
    [2.5e12, '2.5e12'],
  ])('%d is %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

test('a value has as many digits as its deviation justifies', () => {
  expect(
    [
      [0.76812, 0.00312],
      [0.5, 0.003],
      [12.345, 0],
      [123.4, 12],
      [2.512e-5, 3e-7],
      [0.001, 0.5],
    ].map(([value = NaN, deviation = NaN]) => formatDeviating(value, deviation)),
  ).toEqual([
    '0.768 ± 0.003',
    '0.500 ± 0.003',
    '12.345',
    '123 ± 12',
    '2.51e-5 ± 3e-7',
    '0.001 ± 0.5',
  ]);
});

test('values in narrow places have fewer digits', () => {
  expect([0.362912, 12.3456, 1234.5678, 1.23456e-9].map((value) => formatValue(value, 4))).toEqual([
    '0.3629',
    '12.35',
    '1,235',
    '1.235e-9',
  ]);
});

describe('axis labels distinguish adjacent ticks', () => {
  test.each([
    [[0, 2.5, 5, 7.5, 10], 2.5, ['0', '2.5', '5.0', '7.5', '10.0']],
    [[0.0025, 0.005, 0.0075], 0.0025, ['0.0025', '0.0050', '0.0075']],
    [[0, 20_000, 100_000], 20_000, ['0', '20k', '100k']],
    [[1_000_000, 1_500_000], 500_000, ['1M', '1.5M']],
    [[1_000_000, 1_000_500], 500, ['1M', '1.0005M']],
    [[2, 4], 2, ['2', '4']],
    [[1_000, 2_000, 9_000], 1_000, ['1,000', '2,000', '9,000']],
    [[5_000, 10_000], 5_000, ['5k', '10k']],
    [[500, 1_000, 1_500], 500, ['500', '1,000', '1,500']],
    [[0.0005, 0.001], 0.0005, ['0.0005', '0.0010']],
    [[1e-6, 2e-6], 1e-6, ['1e-6', '2e-6']],
    [[0.0002, 0.0004], 0.0002, ['2e-4', '4e-4']],
    [[2.5e-39, 5e-39, 7.5e-39, 1e-38], 2.5e-39, ['2.5e-39', '5e-39', '7.5e-39', '1e-38']],
    [[2e37, 1e38], 2e37, ['2e37', '1e38']],
    [[2e15, 4e15], 2e15, ['2e15', '4e15']],
    [[9007199254741000, 9007199254741020], 20, ['9,007,199,254,741,000', '9,007,199,254,741,020']],
    [[-1, -0.5], 0.5, ['−1.0', '−0.5']],
  ])('%j', (ticks, increment, labels) => {
    const written = ticks.map((tick) =>
      formatTick(tick, increment, Math.max(...ticks.map(Math.abs))),
    );
    expect(written).toEqual(labels);
    expect(new Set(written).size).toBe(ticks.length);
  });
});

test('durations have at most two units', () => {
  expect([0, 0.0123, 4.25, 42, 3_600, 8_040, 90_061].map(formatDuration)).toEqual([
    '0s',
    '12.3ms',
    '4.3s',
    '42s',
    '1h',
    '2h 14min',
    '1d 1h',
  ]);
});

test('a duration that rounds up to the next unit uses that unit', () => {
  expect(formatDuration(3_599.7)).toBe('1h');
});

test('times ago are in words, without units that can be read two ways', () => {
  expect(
    [9, 180, 7_200, 86_400 * 3, 86_400 * 608, 86_400 * 1_100].map((s) => formatAgo(s, 'en')),
  ).toEqual([
    '9 seconds ago',
    '3 minutes ago',
    '2 hours ago',
    '3 days ago',
    '20 months ago',
    '3 years ago',
  ]);
});

test('duration ticks have one unit each', () => {
  expect([0, 1_800, 3_600, 5_400].map((tick) => formatDurationTick(tick, 1_800))).toEqual([
    '0',
    '30min',
    '1h',
    '1.5h',
  ]);
  expect(formatDurationTick(30, 10)).toBe('30s');
});

test('time ticks show the date where a day begins', () => {
  const midnight = new Date(2026, 10, 21).getTime() / 1000;
  expect(formatTimeTick(midnight, 3_600)).toBe('11-21');
  expect(formatTimeTick(midnight + 3_600, 3_600)).toBe('01:00');
  expect(formatTimeTick(midnight + 61, 1)).toBe('00:01:01');
});

test('steps keep every digit', () => {
  expect(formatStep(46_210)).toBe('46,210');
  expect(formatStep(-1)).toBe('−1');
});

test('bytes use powers of 1024', () => {
  expect([380, 1_536, 1024 ** 2 * 250, 1024 ** 4 * 2].map(formatBytes)).toEqual([
    '380 B',
    '1.5 KiB',
    '250 MiB',
    '2 TiB',
  ]);
});

test('measured values are rounded, configured values keep their digits', () => {
  expect(formatField('learning_rate', 0.3)).toBe('0.3');
  expect(formatField('user_defined/dropout', 0.30000001192)).toBe('0.3');
  expect(formatField('metric/loss', 2.228399)).toBe('2.2284');
  expect(formatField('scalar/loss/last', 0.00000174342)).toBe('1.7434e-6');
});

test('settings have the digits that were set, seeds all of theirs', () => {
  expect([0.00005, 0.30000000000000004, 128, 20_261_101, 1e8, 2 ** 60].map(formatSetting)).toEqual([
    '5e-5',
    '0.3',
    '128',
    '20,261,101',
    '1e8',
    '1.15292e18',
  ]);
});
