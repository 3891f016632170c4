import { expect, test } from 'vitest';

import type { Mark } from './line';
import { line } from './lines_for_tests';
import { roomForTexts, shownMarks, textLeft } from './marks';

const to = { x: (value: number) => value * 2, visible: [0, 100] as const };

const mark = (x: number, kind: Mark['kind'] = 'event'): Mark => ({ x, kind, label: `at ${x}` });

const shown = (...marks: Mark[]) =>
  shownMarks(line('job', [0, 100], [1, 1], { marks }), to).map((one) => ({ ...one }));

test('marks in view are shown from left to right', () => {
  expect(shown(mark(50), mark(10), mark(101)).map(({ left }) => left)).toEqual([20, 100]);
  expect(shown()).toEqual([]);
});

test('marks that cannot be told apart are one, with a count where there is room', () => {
  expect(shown(mark(10), mark(12), mark(13), mark(14), mark(40))).toEqual([
    { kind: 'event', left: 20, count: 3, text: '', label: 'at 10' },
    { kind: 'event', left: 28, count: 1, text: '', label: 'at 14' },
    { kind: 'event', left: 80, count: 1, text: '', label: 'at 40' },
  ]);
  expect(shown(mark(10), mark(12), mark(40))[0]).toMatchObject({ count: 2, text: '2' });
});

test('of merged marks, the last note is written', () => {
  const fewer = (x: number, n: number): Mark => ({ ...mark(x, 'fewer'), note: `n=${n}` });
  expect(shown(fewer(10, 3), fewer(12, 2), fewer(60, 1)).map(({ text }) => text)).toEqual([
    'n=2',
    'n=1',
  ]);
  expect(shown(fewer(10, 3), fewer(18, 2))[0]).toMatchObject({ text: '', label: 'at 10' });
});

test('texts of several lines do not cover each other', () => {
  const hasRoom = roomForTexts();
  expect([10, 20, 40, 45, 70].map(hasRoom)).toEqual([true, false, true, false, true]);
});

test('texts at the edges of the plot are within it', () => {
  expect([0, 100, 199].map((left) => textLeft(left, to))).toEqual([11, 100, 189]);
});

test('marks of different kinds stay apart', () => {
  expect(
    shown(mark(10), mark(10, 'nan'), mark(10)).map(({ kind, count }) => [kind, count]),
  ).toEqual([
    ['event', 2],
    ['nan', 1],
  ]);
});

test('every one of many marks is counted', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => mark(i / 100));
  const merged = shown(...many);
  expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
  expect(merged.length).toBeLessThanOrEqual(26);
});
