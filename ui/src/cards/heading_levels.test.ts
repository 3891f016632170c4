import { expect, test } from 'vitest';

import { levelsUnder } from './heading_levels';

test('logged headings follow the heading above them, whatever level they begin with', () => {
  expect(levelsUnder(3, [1, 2, 2, 3, 1])).toEqual([4, 5, 5, 6, 4]);
  expect(levelsUnder(3, [2, 4, 1, 6])).toEqual([4, 5, 4, 5]);
  expect(levelsUnder(2, [])).toEqual([]);
});

test('no level is skipped, and none is deeper than six', () => {
  for (let seed = 0; seed < 500; seed++) {
    const levels = Array.from({ length: 8 }, (_, i) => 1 + ((seed * 7 + i * i * 5 + i) % 6));
    const shown = levelsUnder(3, levels);
    for (const [i, level] of shown.entries()) {
      expect(level).toBeGreaterThan(3);
      expect(level).toBeLessThanOrEqual(Math.min(6, (shown[i - 1] ?? 3) + 1));
    }
  }
});
