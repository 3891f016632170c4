import { describe, expect, it } from 'vitest';

import { bodiesOf, boundsOf, contour, heights, lineShare, ramp, surfaceOf, walked, type Surface } from './surface';

const bowl = surfaceOf({
  train_id: './a', points: { x: [-1, 0, 1], y: [-2, 2], z: [[5, 4, 5], [5, 'NaN', 5]] },
  path: { x: [-1, 0], y: [0, 0], z: [3, 2], intervals: [1, 5] }, metadata: {}, convergence_point: [0, 0, 0],
}, '#112233');

function plane(): Surface {
  const axis = [0, 1, 2, 3];
  return { ...bowl, x: axis, y: axis, z: axis.map(() => axis), path: [] };
}

describe('surfaceOf', () => {
  it('takes texts of what is no number for none', () => {
    expect(bowl.z[1]).toEqual([5, NaN, 5]);
    expect(bowl.path.map(({ at, z }) => [at, z])).toEqual([[1, 3], [5, 2]]);
  });
});

describe('contour', () => {
  it('is where the loss has the height, between the points of the grid', () => {
    const pieces = contour(plane(), 1.25);
    expect(pieces.filter((_, i) => i % 2 === 0)).toEqual(Array.from({ length: 6 }, () => 1.25));
    expect(pieces).toHaveLength(3 * 4);
  });

  it('leaves out cells without a loss, and heights that are not reached', () => {
    expect(contour(bowl, 4.5)).toEqual([]);
    expect(contour(plane(), 9)).toEqual([]);
  });

  it('closes around a hill', () => {
    const z = [[0, 0, 0], [0, 1, 0], [0, 0, 0]];
    const pieces = contour({ x: [0, 1, 2], y: [0, 1, 2], z }, 0.5);
    const ends = new Map<string, number>();
    for (let i = 0; i < pieces.length; i += 2) {
      const key = `${pieces[i] ?? 0} ${pieces[i + 1] ?? 0}`;
      ends.set(key, (ends.get(key) ?? 0) + 1);
    }
    expect([...ends.values()]).toEqual([2, 2, 2, 2]);
  });
});

describe('heights', () => {
  it('are evenly between the bounds; none where all is flat or nothing is known', () => {
    expect(heights({ low: 0, high: 4 }, 3)).toEqual([1, 2, 3]);
    expect([heights({ low: 1, high: 1 }, 3), heights(boundsOf([NaN]), 3)]).toEqual([[], []]);
  });
});

describe('ramp', () => {
  it('goes from dark to light', () => {
    expect([ramp(0), ramp(1), ramp(0.5), ramp(NaN)]).toEqual([[68, 1, 84], [253, 231, 37], [33, 145, 140], [68, 1, 84]]);
  });
});

describe('lineShare', () => {
  it('keeps lines apart from the page, light or dark', () => {
    const luminance = ([r, g, b]: readonly [number, number, number]): number => {
      const linear = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
    };
    const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const [white, black] = [1, luminance([26, 28, 34])];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      expect(contrast(luminance(ramp(lineShare(share, 'dark'))), black)).toBeGreaterThan(3);
      expect(contrast(luminance(ramp(lineShare(share, 'light'))), white)).toBeGreaterThan(3);
    }
  });
});

describe('bodiesOf', () => {
  it('leaves a hole where there is no loss, and colours one surface by its loss', () => {
    const [faces, line] = bodiesOf([bowl], 100);
    expect(faces?.index).toHaveLength(0);
    expect(faces?.colours).not.toBeNull();
    expect(line?.positions).toHaveLength(6);
    expect(bodiesOf([bowl, bowl], 100).every(({ colours }) => colours === null)).toBe(true);
    expect([...(faces?.positions ?? [])].every(Number.isFinite)).toBe(true);
  });
});

describe('walked', () => {
  it('is the first part of the path', () => {
    expect(walked(bowl.path, 50).map(({ at }) => at)).toEqual([1]);
    expect(walked(bowl.path, 0)).toHaveLength(1);
    expect(walked([], 50)).toEqual([]);
  });
});
