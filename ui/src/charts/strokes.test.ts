import { afterEach, expect, test, vi } from 'vitest';

import { dashed, dashStart, hairline, strokeHairlines } from './strokes';

afterEach(() => {
  vi.unstubAllGlobals();
});

function recorded() {
  const steps: string[] = [];
  return {
    steps,
    moveTo: (left: number, top: number) => {
      steps.push(`M${left},${top}`);
    },
    lineTo: (left: number, top: number) => {
      steps.push(`L${left},${top}`);
    },
  };
}

test('a solid line is the path itself', () => {
  const path = recorded();
  expect(dashed(path, [])).toBe(path);
});

test('dashes begin and end where those of a level line would, also between points', () => {
  const path = recorded();
  const line = dashed(path, [6, 4]);
  line.moveTo(0, 0);
  line.lineTo(20, 40);
  expect(path.steps).toEqual(['M0,0', 'L6,12', 'M10,20', 'L16,32']);
});

test('the pattern may begin with an offset, as it does for adjacent lines', () => {
  const path = recorded();
  const line = dashed(path, [6, 4], 13);
  line.moveTo(0, 0);
  line.lineTo(20, 0);
  expect(path.steps).toEqual(['M3,0', 'L9,0', 'M13,0', 'L19,0']);
  expect(new Set(['./run_1', './run_2', './run_3'].map((id) => dashStart(id) % 10)).size).toBe(3);
});

test('a vertical stroke is drawn or not depending on its column', () => {
  const path = recorded();
  const line = dashed(path, [6, 4]);
  line.moveTo(5, 0);
  line.lineTo(5, 30);
  line.lineTo(8, 30);
  line.lineTo(8, -30);
  expect(path.steps).toEqual(['M5,0', 'L5,30', 'L6,30']);
});

test('a line stays visible if its points fall into gaps', () => {
  const path = recorded();
  const line = dashed(path, [7, 3]);
  line.moveTo(8, 1);
  for (let left = 18; left < 100; left += 10) line.lineTo(left, 1);
  expect(path.steps.filter((step) => step.startsWith('L')).length).toBeGreaterThan(8);
});

test('a path that goes back by half a pixel terminates', () => {
  const path = recorded();
  const line = dashed(path, [9, 3, 2, 3]);
  line.moveTo(-3, 0);
  for (let i = 0; i < 1_000; i++) line.lineTo(i * 0.4 + (i % 2 ? -0.45 : 0.45), i % 7);
  expect(path.steps.length).toBeLessThan(3_000);
});

test('a hairline is a single stroke of at most one device pixel, wider lines are rings of them', () => {
  for (const ratio of [1, 1.25, 1.5, 2, 3]) expect(hairline(ratio) * ratio).toBeLessThan(1);
  vi.stubGlobal('Path2D', Map);
  const widths: number[] = [];
  const context = {
    lineWidth: 0,
    setLineDash: () => undefined,
    beginPath: () => undefined,
    translate: () => undefined,
    stroke() {
      widths.push(context.lineWidth);
    },
  };
  strokeHairlines(context as unknown as CanvasRenderingContext2D, () => undefined, 0, 1);
  expect(widths).toEqual([0.99]);
  for (const [width, ratio, strokes] of [
    [2, 1, 4],
    [3, 1, 5],
    [2, 2, 8],
  ] as const) {
    widths.length = 0;
    strokeHairlines(context as unknown as CanvasRenderingContext2D, () => undefined, width, ratio);
    expect(widths).toEqual(Array.from({ length: strokes }, () => 0.99 / ratio));
  }
});
