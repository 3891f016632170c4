import { describe, expect, test } from 'vitest';

import { line } from './lines_for_tests';
import { dockedPlace, markAt, tooltipContent } from './tooltip';

const window = { width: 1_000, height: 600 };

describe('the position of the tooltip', () => {
  const box = { width: 250, height: 140 };
  test.each([
    ['below a plot', { left: 60, top: 100, width: 400, height: 200 }, { left: 60, top: 330 }],
    ['above a low one', { left: 60, top: 350, width: 400, height: 200 }, { left: 60, top: 202 }],
    ['right of a high one', { left: 60, top: 20, width: 400, height: 560 }, { left: 468, top: 20 }],
    ['left of it', { left: 560, top: 20, width: 400, height: 560 }, { left: 254, top: 20 }],
  ])('is %s and covers nothing of it', (_, plot, place) => {
    expect(dockedPlace(plot, box, window, 500)).toEqual(place);
  });

  test('is on the other side than the pointer in a plot that fills the window', () => {
    const plot = { left: 60, top: 40, width: 920, height: 520 };
    expect(dockedPlace(plot, box, window, 200)).toEqual({ left: 722, top: 40 });
    expect(dockedPlace(plot, box, window, 700)).toEqual({ left: 68, top: 40 });
  });

  test.each([
    ['bottom', 230, 442],
    ['top', 300, 8],
  ])('is at the %s of a narrow window if that covers less of the plot', (_, top, place) => {
    const plot = { left: 50, top, width: 290, height: 200 };
    const phone = { width: 360, height: 740 };
    const tall = { width: 340, height: 290 };
    expect(dockedPlace(plot, tall, phone, 100)).toEqual({ left: 12, top: place });
  });

  test('stays within the window', () => {
    const plot = { left: 900, top: 100, width: 400, height: 200 };
    expect(dockedPlace(plot, box, window, 950).left).toBe(742);
  });
});

describe('the text of the tooltip', () => {
  const words = {
    line: 'Run',
    value: 'Value',
    smoothed: 'Smoothed',
    raw: 'Raw',
    step: 'Step',
    time: 'Time',
  };
  const at = (of: ReturnType<typeof line>, index = 0) => ({
    line: of,
    index,
    distance: 0,
    aside: false,
  });
  const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => line(id, [0, 46_210], [1, 0.3629]));
  const near = lines.map((one) => at(one, 1));

  test('has a column of values, steps and times', () => {
    const content = tooltipContent(near, 'step', words, false);
    expect(content?.heads).toEqual(['Value', 'Step', 'Time']);
    expect(content?.rows[0]?.cells).toEqual(['0.3629', '46,210', '12h 50min']);
  });

  test('has five rows and counts the rest; pinned it has all', () => {
    expect(tooltipContent(near, 'step', words, false)).toMatchObject({
      more: 2,
      rows: { length: 5 },
    });
    expect(tooltipContent(near, 'step', words, true)).toMatchObject({
      more: 0,
      rows: { length: 7 },
    });
  });

  test('shows smoothed and raw values if both exist', () => {
    const one = line('a', [0], [0.3629], { raw: Float64Array.of(0.353) });
    const content = tooltipContent([at(one)], 'step', words, false);
    expect(content?.heads).toEqual(['Smoothed', 'Raw', 'Step', 'Time']);
    expect(content?.rows[0]?.cells.slice(0, 2)).toEqual(['0.3629', '0.353']);
  });

  test('aligns decimal points and shows no digits that are not known', () => {
    const values = [0.5, 0.512, 1.01142, 123_456, -2, 1e-7];
    const content = tooltipContent(
      values.map((value) => at(line('a', [0], [value]))),
      'step',
      words,
      true,
    );
    expect(content?.rows.map(({ cells }) => cells[0])).toEqual([
      '0.5000',
      '0.5120',
      '1.0114',
      '123,456\u2008\u2007\u2007\u2007\u2007',
      '−2.0000',
      '1e-7',
    ]);
  });

  test('shows a value that is not finite once, as it was logged', () => {
    const cells = [NaN, Infinity].map(
      (raw) =>
        tooltipContent(
          [at(line('a', [0], [NaN], { raw: Float64Array.of(raw) }))],
          'step',
          words,
          false,
        )?.rows[0]?.cells,
    );
    expect(cells.map((row) => row?.slice(0, 2))).toEqual([
      ['–', 'NaN'],
      ['–', '∞'],
    ]);
  });

  test('shows the spread and size of a group', () => {
    const none = Float64Array.of(NaN);
    const group = line('a', [0], [0.76812], { count: [5], wallTime: none });
    const texts = [
      { ...group, deviation: Float64Array.of(0.00312) },
      { ...group, band: { x: group.x, low: Float64Array.of(0.7), high: Float64Array.of(0.8) } },
      { ...group, count: [1], deviation: none },
    ].map((one) => tooltipContent([at(one)], 'step', words, false));
    expect(texts.map((content) => content?.rows[0]?.cells[0])).toEqual([
      '0.768 ± 0.003 (n=5)',
      '0.76812 [0.7, 0.8] (n=5)',
      '0.76812 (n=1)',
    ]);
    expect(texts[0]?.heads).toEqual(['Value', 'Step']);
  });

  test('is empty without points', () => {
    expect(tooltipContent([], 'step', words, false)).toBeNull();
  });
});

test('describes a mark under the pointer', () => {
  const one = line('job', [0, 50], [1, 1], {
    marks: [{ x: 50, kind: 'nan', label: 'NaN from step 50' }],
  });
  const to = { x: (value: number) => value, visible: [0, 100] as const };
  const more = (n: number): string => `+${n} more`;
  expect(markAt([one], to, 52, 4, more)).toBe('job: NaN from step 50');
  expect(markAt([one], to, 80, 4, more)).toBe('');
  expect(markAt([one], to, 50, 90, more)).toBe('');
  const marks = [50, 51, 52].map((x) => ({ x, kind: 'event' as const, label: `Spike at ${x}` }));
  expect(markAt([{ ...one, marks }], to, 52, 4, more)).toBe('job: Spike at 50 +2 more');
});
