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

  // A difference of 2 is just visible side by side; thin lines need much more.
  test.each(['light', 'dark'] as const)('have twenty clearly different colors (%s)', (theme) => {
    const seen = PALETTES[theme].map((color) => lab(linear(color)));
    expect(seen).toHaveLength(20);
    for (const [i, one] of seen.entries())
      for (const [j, other] of seen.slice(0, i).entries())
        expect(difference(one, other), `${i} and ${j}`).toBeGreaterThan(15);
  });

  test('are compared by CIEDE2000', () => {
    // Pairs 1, 7 and 25 of Sharma, Wu and Dalal 2005.
    expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(difference([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
    expect(difference([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(
      1.2644,
      4,
    );
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

  test('runs that share a color are of different directories', () => {
    const runs = ['a', 'b', 'c'].flatMap((name) => names(12).map((run) => `${run}/${name}`));
    const deep = ['vision', 'text', 'audio'].flatMap((name) =>
      Array.from({ length: 12 }, (_, i) => `./${name}/sweep/run_${i}`),
    );
    for (const ids of [runs, deep]) {
      const byStyle = new Map<number, string[]>();
      for (const [id, style] of assignStyles(ids))
        byStyle.set(style, [...(byStyle.get(style) ?? []), id.slice(0, id.lastIndexOf('/'))]);
      for (const directories of byStyle.values())
        expect(new Set(directories).size, String(directories)).toBe(directories.length);
    }
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

/** CIEDE2000 of two CIE L*a*b* colors. */
function difference(one: readonly number[], other: readonly number[]): number {
  const chroma = ([, a = 0, b = 0]: readonly number[]): number => Math.hypot(a, b);
  const gained = (mean: number): number => Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7));
  const stretch = 1.5 - 0.5 * gained((chroma(one) + chroma(other)) / 2);
  const [[l1, c1, h1], [l2, c2, h2]] = [one, other].map(([l = 0, a = 0, b = 0]) => {
    const hue = (Math.atan2(b, a * stretch) * 180) / Math.PI;
    return [l, Math.hypot(a * stretch, b), (hue + 360) % 360] as const;
  }) as unknown as readonly [readonly [number, number, number], readonly [number, number, number]];
  const isGray = c1 * c2 === 0;
  const turn = isGray ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const hue = isGray ? h1 + h2 : h1 + turn / 2;
  const cos = (factor: number, less: number): number =>
    Math.cos(((factor * hue - less) * Math.PI) / 180);
  const light = ((l1 + l2) / 2 - 50) ** 2;
  const mean = (c1 + c2) / 2;
  const weight = 1 - 0.17 * cos(1, 30) + 0.24 * cos(2, 0) + 0.32 * cos(3, -6) - 0.2 * cos(4, 63);
  const bent = 60 * Math.exp(-(((((hue + 360) % 360) - 275) / 25) ** 2));
  const dl = (l2 - l1) / (1 + (0.015 * light) / Math.sqrt(20 + light));
  const dc = (c2 - c1) / (1 + 0.045 * mean);
  const dh =
    (2 * Math.sqrt(c1 * c2) * Math.sin((turn * Math.PI) / 360)) / (1 + 0.015 * mean * weight);
  const rotation = -2 * gained(mean) * Math.sin((bent * Math.PI) / 180);
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
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
