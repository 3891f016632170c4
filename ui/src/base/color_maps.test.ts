import { describe, expect, it } from 'vitest';

import { lineShare, MAPS, ramp } from './color_maps';

describe('ramp', () => {
  it('goes from dark to light', () => {
    expect([
      ramp(0, 'viridis'),
      ramp(1, 'viridis'),
      ramp(0.5, 'viridis'),
      ramp(NaN, 'viridis'),
    ]).toEqual([
      [68, 1, 84],
      [253, 231, 37],
      [33, 145, 140],
      [68, 1, 84],
    ]);
  });

  it.each(MAPS)('of %s gets lighter with higher values', (map) => {
    const lightness = Array.from({ length: 21 }, (_, i) => {
      const [r, g, b] = ramp(i / 20, map);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    expect(lightness).toEqual([...lightness].sort((a, b) => a - b));
  });
});

describe('lineShare', () => {
  it('keeps lines distinct from the background, light or dark', () => {
    expect([lineShare(0, 'dark'), lineShare(1, 'dark')]).toEqual([0.4, 1]);
    expect(lineShare(1, 'light')).toBeLessThan(0.6);
  });
});
