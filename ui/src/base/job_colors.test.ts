import { describe, expect, test } from 'vitest';

import { assignStyles, PALETTES, stableHash, styleColor, withoutGray } from './job_colors';

const PANELS = { light: '#ffffff', dark: '#1a1c22' } as const;
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `./sweep/run_${i}`);

describe('the palettes', () => {
  test.each(['light', 'dark'] as const)(
    'have a contrast of at least 3:1 on the %s panel',
    (theme) => {
      for (const color of PALETTES[theme]) {
        expect(contrast(color, PANELS[theme]), color).toBeGreaterThanOrEqual(3);
      }
    },
  );

  test.each(['light', 'dark'] as const)(
    'are told apart with every kind of color vision (%s)',
    (theme) => {
      for (const [name, matrix] of Object.entries(VISION)) {
        const seen = PALETTES[theme].map((color) => lab(times(matrix, linear(color))));
        for (let i = 0; i < seen.length; i++) {
          for (let j = 0; j < i; j++) {
            const distance = Math.hypot(
              ...[0, 1, 2].map((k) => (seen[i]?.[k] ?? 0) - (seen[j]?.[k] ?? 0)),
            );
            expect(distance, `${name}: ${i} and ${j}`).toBeGreaterThan(7);
          }
        }
      }
    },
  );

  test.each(['light', 'dark'] as const)('have twenty different colors each (%s)', (theme) => {
    expect(new Set(PALETTES[theme]).size).toBe(20);
  });
});

describe('styles', () => {
  test('a single job has the color of its hash', () => {
    expect(assignStyles(['./a']).get('./a')).toBe(stableHash('./a') % 7);
  });

  test('up to seven runs have distinct hues', () => {
    for (let count = 1; count <= 7; count++)
      expect(Math.max(...assignStyles(names(count)).values())).toBeLessThan(7);
  });

  test('up to twenty runs have different colors', () => {
    for (let count = 1; count <= 20; count++) {
      const styles = [...assignStyles(names(count)).values()];
      expect(new Set(styles.map((style) => styleColor(style, 'light'))).size).toBe(count);
    }
  });

  test('with more than twenty runs, colors repeat evenly', () => {
    const uses = new Map<number, number>();
    for (const style of assignStyles(names(40)).values())
      uses.set(style, (uses.get(style) ?? 0) + 1);
    expect([...uses.values()]).toEqual(Array.from({ length: 20 }, () => 2));
  });

  test('hundreds of jobs all have a style', () => {
    expect(assignStyles(names(333)).size).toBe(333);
  });

  test('do not depend on the order of selection', () => {
    const jobs = names(17);
    expect(assignStyles([...jobs].reverse())).toEqual(assignStyles(jobs));
  });

  test('selecting another job does not recolor the others', () => {
    let before = assignStyles(names(1));
    for (let count = 2; count <= 60; count++) {
      const after = assignStyles(names(count), before);
      for (const [id, style] of before) expect(after.get(id)).toBe(style);
      before = after;
    }
  });

  test('a job selected again gets its old style unless it is taken', () => {
    const remembered = new Map([
      ['./a', 3],
      ['./b', 3],
    ]);
    const styles = assignStyles(['./a', './b'], remembered);
    expect([...styles.values()]).toContain(3);
    expect(new Set(styles.values()).size).toBe(2);
  });
});

test('the hash matches earlier releases: colors survive an update', () => {
  expect(['', './a', './作业'].map(stableHash)).toEqual([2872998923, 1490281729, 3963445507]);
});

/** Linear RGB as seen with color blindness: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISION = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function times(matrix: readonly number[][], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * (vector[i] ?? 0), 0));
}

/** CIE L*a*b* of linear sRGB under D65. */
function lab(rgb: readonly number[]): number[] {
  const toXyz = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ];
  const white = [0.95047, 1, 1.08883];
  const [x = 0, y = 0, z = 0] = times(
    toXyz,
    rgb.map((one) => Math.min(1, Math.max(0, one))),
  ).map((one, i) => {
    const share = one / (white[i] ?? 1);
    return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Relative luminance as defined by WCAG 2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
}

test('classes of values have no gray while another color is free', () => {
  const gray = PALETTES.light.indexOf('#888787');
  expect(PALETTES.dark[gray]).toBe('#bdbcb4');
  const styles = new Map([
    ['a', 0],
    ['b', gray],
  ]);
  expect([...withoutGray(styles).values()]).toEqual([0, 1]);
  const all = assignStyles(names(20));
  expect(withoutGray(all)).toBe(all);
});
