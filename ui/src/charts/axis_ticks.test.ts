import { expect, test } from 'vitest';

import { xTicks, yTicks } from './axis_ticks';

const labels = ({ at, label }: ReturnType<typeof xTicks>): string[] => at.map(label);

test('step axes have only whole ticks', () => {
  expect(labels(xTicks([3, 4], 500, 'step', false))).toEqual(['3', '4']);
  expect(labels(xTicks([0, 100_000], 500, 'step', false))).toEqual([
    '0',
    '20k',
    '40k',
    '60k',
    '80k',
    '100k',
  ]);
});

test('ticks of steps have no decimals', () => {
  expect(labels(xTicks([0, 10], 500, 'step', false))).toEqual(['0', '2', '4', '6', '8', '10']);
  expect(labels(xTicks([0, 10.5], 300, 'step', false))).toEqual(['0', '5', '10']);
  expect(labels(xTicks([0, 2_000], 500, 'step', false))).toEqual([
    '0',
    '500',
    '1,000',
    '1,500',
    '2,000',
  ]);
});

test('small values are written alike on one axis', () => {
  expect(labels(yTicks([0, 0.0009], 170, false))).toEqual(['0', '2e-4', '4e-4', '6e-4', '8e-4']);
  expect(labels(yTicks([0, 0.0015], 170, false))).toEqual(['0', '0.0005', '0.0010', '0.0015']);
});

test('a narrow axis has fewer ticks', () => {
  expect(xTicks([0, 100], 160, 'step', false).at.length).toBeLessThanOrEqual(2);
  expect(yTicks([0, 1], 110, false).at.length).toBeLessThanOrEqual(3);
});

test('long labels do not overlap', () => {
  const begin = 2 ** 53;
  const shown = labels(xTicks([begin, begin + 100], 500, 'step', false));
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.join(' ').length * 7).toBeLessThan(500);
});

test('relative times are durations', () => {
  expect(labels(xTicks([0, 7_200], 500, 'relative', false))).toEqual([
    '0',
    '30min',
    '1h',
    '1.5h',
    '2h',
  ]);
});

test('wall times are local times', () => {
  const noon = new Date(2026, 10, 21, 12).getTime() / 1000;
  expect(labels(xTicks([noon, noon + 3_600], 500, 'wall', false))).toContain('12:30');
});

test('logarithmic axes label decades, or numbers within one', () => {
  expect(labels(yTicks([0.01, 100], 300, true))).toEqual(['0.01', '0.1', '1', '10', '100']);
  expect(labels(yTicks([0.03, 2], 300, true))).toEqual(['0.1', '1']);
  expect(labels(yTicks([0.13, 2], 300, true))).toEqual(['0.2', '0.5', '1', '2']);
  expect(labels(yTicks([5, 6], 300, true))).toEqual(['5.0', '5.2', '5.4', '5.6', '5.8', '6.0']);
  expect(labels(xTicks([1, 10_000], 500, 'step', true))).toEqual([
    '1',
    '10',
    '100',
    '1,000',
    '10k',
  ]);
});
