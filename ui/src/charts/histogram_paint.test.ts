import { expect, test } from 'vitest';

import { plotArea } from './histogram_paint';
import type { HistogramScene } from './histogram_scene';

const scene = (xLabel: (x: number) => string): HistogramScene => ({
  mode: 'ridges',
  layers: [{ x: 1, label: '', buckets: [] }],
  range: [0, 1],
  xLabel,
  lit: -1,
});

test('long labels at the right have enough room', () => {
  const right = (label: string): number => {
    const { left, width } = plotArea(
      400,
      200,
      scene(() => label),
    );
    return 400 - left - width;
  };
  expect(right('7')).toBe(right('1,000'));
  expect(right('10,000,000')).toBeGreaterThan(66);
});
