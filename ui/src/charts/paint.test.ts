import { afterEach, expect, test, vi } from 'vitest';

import { inPieces, tracesOf } from './line';
import { line } from './lines_for_tests';
import { paintLines, tracePath, type Paper, type Projection } from './paint';

afterEach(() => {
  vi.unstubAllGlobals();
});

const plain: Projection = {
  x: (value) => value,
  y: (value) => value,
  visible: [0, 1_000],
  height: 1_000,
  logY: false,
};

function trace(x: readonly number[], y: readonly number[], to: Projection = plain): string {
  const steps: string[] = [];
  const path = {
    moveTo: (left: number, top: number) => {
      steps.push(`M${left},${top}`);
    },
    lineTo: (left: number, top: number) => {
      steps.push(`L${left},${top}`);
    },
  };
  tracePath(path, Float64Array.from(x), Float64Array.from(y), to);
  return steps.join(' ');
}

test('a sparse line visits its points', () => {
  expect(trace([0, 10, 20], [1, 5, 3])).toBe('M0,1 L10,5 L20,3');
});

test('NaN and infinities are gaps', () => {
  expect(trace([0, 10, 20, 30, 40], [1, 5, NaN, 3, 2])).toBe('M0,1 L10,5 M30,3 L40,2');
  expect(trace([0, 10, 20], [1, Infinity, 2])).toBe('M0,1 M20,2');
});

test('points of one pixel column are reduced to first, lowest, highest and last', () => {
  const path = trace([5, 5.1, 5.2, 5.3, 5.4, 20], [3, 9, 1, 4, 2, 7]);
  expect(path).toBe('M5,3 L5,9 L5,1 L5,2 L20,7');
});

test('dense lines keep every spike', () => {
  const y = Array.from({ length: 50_000 }, (_, i) => (i === 31_337 ? 777 : i % 7));
  const path = trace(
    y.map((_, i) => i / 100),
    y,
  );
  expect(path).toContain(',777');
  expect(path.split(' ').length).toBeLessThan(2_100);
});

test('the line enters and leaves at the edges', () => {
  expect(trace([0, 10, 20, 30], [1, 2, 3, 4], { ...plain, visible: [12, 18] })).toBe('M10,2 L20,3');
});

test('a logarithmic axis omits values that are not positive', () => {
  expect(trace([0, 10, 20], [1, 0, 2], { ...plain, logY: true })).toBe('M0,1 M20,2');
});

test('of each pixel column the first, lowest, highest and last are visited', () => {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let turn = 0; turn < 40; turn++) {
    const count = 1 + Math.floor(random() * 400);
    const x = Array.from({ length: count }, () => random() * (turn + 1) * 3).sort((a, b) => a - b);
    const y = x.map(() => Math.round(random() * 100));
    const visited = new Map<number, number[]>();
    const take = (left: number, top: number): void => {
      visited.set(Math.round(left), [...(visited.get(Math.round(left)) ?? []), top]);
    };
    tracePath({ moveTo: take, lineTo: take }, Float64Array.from(x), Float64Array.from(y), plain);
    for (const [column, tops] of visited) {
      const all = y.filter((_, i) => Math.round(x[i] ?? NaN) === column);
      expect([tops[0], Math.min(...tops), Math.max(...tops), tops.at(-1)]).toEqual([
        all[0],
        Math.min(...all),
        Math.max(...all),
        all.at(-1),
      ]);
      expect(tops.length).toBeLessThanOrEqual(4);
    }
    expect(visited.size).toBe(new Set(x.map(Math.round)).size);
  }
});

test.each([
  ['few', 40],
  ['many', 5_000],
])('raw values are a faint hairline behind a line of 2 pixels, with %s points', (_, count) => {
  const ignored = (): void => undefined;
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo = ignored;
      lineTo = ignored;
    },
  );
  const strokes: { alpha: number; width: number; offsets: number }[] = [];
  let offset = 0;
  const context = {
    globalAlpha: 1,
    lineWidth: 1,
    translate: (left: number, top: number) => (offset += Math.abs(left) + Math.abs(top)),
    stroke() {
      strokes.push({ alpha: context.globalAlpha, width: context.lineWidth, offsets: offset });
    },
    ...Object.fromEntries(
      ['save', 'restore', 'setLineDash', 'beginPath', 'moveTo', 'lineTo', 'arc', 'fill'].map(
        (name) => [name, ignored],
      ),
    ),
  };
  const x = Array.from({ length: count }, (__, i) => (i * 1_000) / count);
  const smoothed = line('a', x, x, { raw: Float64Array.from(x) });
  paintLines(context as unknown as Paper, [smoothed], plain, 1);
  const [raw, ...smooth] = strokes;
  expect(raw).toEqual({ alpha: 0.2, width: 0.99, offsets: 0 });
  expect(smooth.every(({ alpha }) => alpha === 1)).toBe(true);
  // A wide stroke, or four hairlines half a pixel around the line.
  if (smooth.length === 1) expect(smooth[0]?.width).toBe(2);
  else expect(smooth.map(({ width }) => width)).toEqual([0.99, 0.99, 0.99, 0.99]);
});

test('a broken line has a gap, and what joins its pieces is faint', () => {
  const broken = line('a', [0, 10, 20, 30], [9, 8, 1, 2], { breaks: [2] });
  const [joint, pieces, ...others] = tracesOf([broken]);
  expect(others).toEqual([]);
  expect(trace([...(pieces?.x ?? [])], [...(pieces?.y ?? [])])).toBe('M0,9 L10,8 M20,1 L30,2');
  expect(joint).toMatchObject({ faint: true, color: broken.color, dash: [] });
  expect(trace([...(joint?.x ?? [])], [...(joint?.y ?? [])])).toBe('M10,8 L20,1');
});

test('raw values are broken with their line', () => {
  const raw = Float64Array.of(1, 2, 3);
  const pieces = inPieces(line('a', [0, 1, 2], [4, 5, 6], { raw, breaks: [1, 2] }));
  expect([[...pieces.x], [...pieces.y], [...(pieces.raw ?? [])]]).toEqual([
    [0, 1, 1, 2, 2],
    [4, NaN, 5, NaN, 6],
    [1, NaN, 2, NaN, 3],
  ]);
});
