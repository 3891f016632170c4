import { describe, expect, test } from 'vitest';

import {
  formatBytes,
  formatCount,
  formatDuration,
  formatDurationTick,
  formatField,
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
    [10_000, '10 k'],
    [8_412_331, '8.4 M'],
    [999_960, '1 M'],
    [123_456, '123 k'],
    [7_000_000_000, '7 G'],
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
    [0.3629, '0.36290'],
    [1.25, '1.2500'],
    [-12.5, '−12.500'],
    [123_456, '123,456'],
    [1e-7, '1e-7'],
    [2.5e12, '2.5e12'],
  ])('%d is %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

test('values in narrow places have fewer digits', () => {
  expect([0.362912, 12.3456, 1234.5678, 1.23456e-9].map((value) => formatValue(value, 4))).toEqual([
    '0.3629',
    '12.35',
    '1235',
    '1.23e-9',
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
    [[1e-6, 2e-6], 1e-6, ['1e-6', '2e-6']],
    [[2.5e-39, 5e-39, 7.5e-39, 1e-38], 2.5e-39, ['2.5e-39', '5.0e-39', '7.5e-39', '1.00e-38']],
    [[2e37, 1e38], 2e37, ['2e37', '1.0e38']],
    [[2e15, 4e15], 2e15, ['2e15', '4e15']],
    [[9007199254741000, 9007199254741020], 20, ['9007199254741000', '9007199254741020']],
    [[-1, -0.5], 0.5, ['−1.0', '−0.5']],
  ])('%j', (ticks, increment, labels) => {
    const written = ticks.map((tick) => formatTick(tick, increment));
    expect(written).toEqual(labels);
    expect(new Set(written).size).toBe(ticks.length);
  });
});

test('durations have at most two units', () => {
  expect([0, 0.0123, 4.25, 42, 3_600, 8_040, 90_061].map(formatDuration)).toEqual([
    '0 s',
    '12.3 ms',
    '4.3 s',
    '42 s',
    '1 h',
    '2 h 14 min',
    '1 d 1 h',
  ]);
});

test('a duration that rounds up to the next unit uses that unit', () => {
  expect(formatDuration(3_599.7)).toBe('1 h');
});

test('duration ticks have one unit each', () => {
  expect([0, 1_800, 3_600, 5_400].map((tick) => formatDurationTick(tick, 1_800))).toEqual([
    '0',
    '30 min',
    '1 h',
    '1.5 h',
  ]);
  expect(formatDurationTick(30, 10)).toBe('30 s');
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
  expect(formatField('scalar/loss/last', 0.00000174342)).toBe('1.743e-6');
});
