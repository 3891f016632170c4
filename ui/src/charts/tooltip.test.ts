import { describe, expect, test } from 'vitest';

import { line } from './lines_for_tests';
import { besidePoint, markAt, tooltipContent } from './tooltip';

const window = { width: 1_000, height: 600 };

describe('the position of the tooltip', () => {
  test.each([
    ['in the middle', { left: 300, top: 300 }],
    ['at the right edge', { left: 990, top: 300 }],
    ['in a corner', { left: 5, top: 5 }],
    ['at the bottom', { left: 500, top: 595 }],
  ])('never covers the point: %s', (_, point) => {
    const box = { width: 250, height: 140 };
    const { left, top } = besidePoint(point, box, window);
    const covers =
      point.left >= left &&
      point.left <= left + box.width &&
      point.top >= top &&
      point.top <= top + box.height;
    expect(covers).toBe(false);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left + box.width).toBeLessThanOrEqual(window.width);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top + box.height).toBeLessThanOrEqual(window.height);
  });

  test('is above the point on narrow screens', () => {
    expect(
      besidePoint({ left: 200, top: 400 }, { width: 300, height: 100 }, { width: 400, height: 800 })
        .top,
    ).toBe(282);
  });
});

describe('the text of the tooltip', () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => line(id, [0, 46_210], [1, 0.3629]));
  const near = lines.map((one) => ({ line: one, index: 1, distance: 0, aside: false }));

  test('contains step and time of the nearest point', () => {
    const content = tooltipContent(near, 'step', 'step');
    expect(content?.title).toBe('step 46,210 · 12 h 50 min');
  });

  test('has at most five rows and counts the rest', () => {
    expect(tooltipContent(near, 'step', 'step')).toMatchObject({ more: 2, rows: { length: 5 } });
  });

  test('shows smoothed and raw values if both exist', () => {
    const one = line('a', [0], [0.3629], { raw: Float64Array.of(0.353) });
    expect(
      tooltipContent([{ line: one, index: 0, distance: 0, aside: false }], 'step', 'step')?.rows[0],
    ).toMatchObject({ value: '0.36290', raw: '0.35300' });
  });

  test('shows the step of a value if it differs from the others, for example after an early end', () => {
    const ended = { line: line('z', [0, 8], [1, 5]), index: 1, distance: 1, aside: true };
    expect(
      tooltipContent([...near.slice(0, 1), ended], 'step', 'step')?.rows.map(({ step }) => step),
    ).toEqual([null, 'step 8']);
  });

  test('is empty without points', () => {
    expect(tooltipContent([], 'step', 'step')).toBeNull();
  });
});

test('describes a mark under the pointer', () => {
  const one = line('job', [0, 50], [1, 1], {
    marks: [{ x: 50, kind: 'nan', label: 'NaN from step 50' }],
  });
  const to = { x: (value: number) => value };
  expect(markAt([one], to, 52, 4)).toBe('job: NaN from step 50');
  expect(markAt([one], to, 80, 4)).toBe('');
  expect(markAt([one], to, 50, 90)).toBe('');
});
