import { describe, expect, it } from 'vitest';

import {
  bodiesOf,
  boundsOf,
  contour,
  gridSpot,
  contourLevels,
  spaceOf,
  surfaceOf,
  walked,
  type LandscapeStyle,
  type Surface,
} from './surface';

const bowl = surfaceOf(
  {
    train_id: './a',
    points: {
      x: [-1, 0, 1],
      y: [-2, 2],
      z: [
        [5, 4, 5],
        [5, 'NaN', 5],
      ],
    },
    path: { x: [-1, 0], y: [0, 0], z: [3, 2], intervals: [1, 5] },
    metadata: {},
    convergence_point: [0, 0, 0],
  },
  '#112233',
);

const MANNER: LandscapeStyle = { map: 'viridis', opacity: 1, pathColor: '', pathWidth: 2 };

function plane(): Surface {
  const axis = [0, 1, 2, 3];
  return { ...bowl, x: axis, y: axis, z: axis.map(() => axis), path: [] };
}

describe('surfaceOf', () => {
  it('reads non-numeric texts as missing values', () => {
    expect(bowl.z[1]).toEqual([5, NaN, 5]);
    expect(bowl.path.map(({ at, z }) => [at, z])).toEqual([
      [1, 3],
      [5, 2],
    ]);
  });
});

describe('gridSpot', () => {
  it('is the grid point nearest to a position, with its loss', () => {
    expect(gridSpot(bowl, { x: -0.6, y: 1 })).toEqual({ x: -1, y: 2, z: 5, i: 0, j: 1 });
    expect(gridSpot(bowl, { x: 0.2, y: 9 })).toEqual({ x: 0, y: 2, z: NaN, i: 1, j: 1 });
    expect(gridSpot({ ...bowl, x: [] }, { x: 0, y: 0 })).toBeNull();
  });
});

describe('contour', () => {
  it('follows the height between grid points', () => {
    const pieces = contour(plane(), 1.25);
    expect(pieces.filter((_, i) => i % 2 === 0)).toEqual(Array.from({ length: 6 }, () => 1.25));
    expect(pieces).toHaveLength(3 * 4);
  });

  it('omits cells without a loss and levels out of range', () => {
    expect(contour(bowl, 4.5)).toEqual([]);
    expect(contour(plane(), 9)).toEqual([]);
  });

  it('closes around a hill', () => {
    const z = [
      [0, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
    ];
    const pieces = contour({ x: [0, 1, 2], y: [0, 1, 2], z }, 0.5);
    const ends = new Map<string, number>();
    for (let i = 0; i < pieces.length; i += 2) {
      const key = `${pieces[i] ?? 0} ${pieces[i + 1] ?? 0}`;
      ends.set(key, (ends.get(key) ?? 0) + 1);
    }
    expect([...ends.values()]).toEqual([2, 2, 2, 2]);
  });
});

describe('contourLevels', () => {
  it('are evenly spaced between the bounds; none if all is flat or unknown', () => {
    expect(contourLevels({ low: 0, high: 4 }, 3)).toEqual([1, 2, 3]);
    expect([contourLevels({ low: 1, high: 1 }, 3), contourLevels(boundsOf([NaN]), 3)]).toEqual([
      [],
      [],
    ]);
  });
});

describe('bodiesOf', () => {
  it('omits points without a position', () => {
    const lost = { ...bowl, path: [...bowl.path, { x: 1, y: 0, z: NaN, at: 9 }] };
    expect(bodiesOf([lost], 100, MANNER)[1]?.positions).toEqual(
      bodiesOf([bowl], 100, MANNER)[1]?.positions,
    );
  });

  it('leaves a hole where losses are missing, and colors a single surface by loss', () => {
    const [faces, line] = bodiesOf([bowl], 100, MANNER);
    expect(faces?.index).toHaveLength(0);
    expect(faces?.colors).not.toBeNull();
    expect(line?.positions).toHaveLength(6);
    expect(bodiesOf([bowl, bowl], 100, MANNER).every(({ colors }) => colors === null)).toBe(true);
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

describe('spaceOf', () => {
  it('finds the nearest point of the path, or else of the grid', () => {
    const { placeOf, spotAt } = spaceOf([bowl]);
    expect(spotAt(placeOf(-1, 0, 3), 100)).toMatchObject({ x: -1, y: 0, z: 3 });
    // The path does not reach this point yet.
    expect(spotAt(placeOf(0, 0, 2), 0)).toMatchObject({
      x: 0,
      y: -2,
      z: 4,
      place: placeOf(0, -2, 4),
    });
    expect(spotAt(placeOf(0.1, 1.9, 4), 100)).toBeNull();
    expect(spaceOf([]).spotAt([0, 0, 0], 100)).toBeNull();
  });
});
