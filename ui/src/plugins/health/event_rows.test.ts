import { expect, test } from 'vitest';

import type { LogEvent, SeriesEvent } from './api';

import { rowOf, type Words } from './event_rows';

const words: Words = {
  t: (key, values, plural) =>
    [
      key.replace('health.', ''),
      ...Object.values(values).filter(Boolean),
      ...(plural === undefined ? [] : [`#${plural}`]),
    ].join(' '),
  te: (key) => ['restart', 'pause', 'spike'].some((kind) => key === `health.words.${kind}`),
  tagName: (tag) => tag || '(none)',
  viewWith: (trainId) => ({ runs: trainId.slice(2) }),
};

const restart: SeriesEvent = {
  train_id: './a',
  kind: 'restart',
  severity: 'warning',
  count: 1,
  times: 1,
  tags: 1,
  step: 80,
  end_step: 99,
  size: [20, 20],
  window: [30, 109],
  places: [{ tag: 'loss', step: 80, end_step: 99, window: [30, 109] }],
  rule: '',
  moved: [],
};

test('an event of one series links to its chart', () => {
  const row = rowOf(restart, words);
  expect(row.where).toBe('loss · fromTo 80 99');
  expect(row.words).toContain('words.restart 20');
  expect(row.link).toBe('#/scalar?runs=a&tags=%5Eloss%24&zoom=30..109');
  expect([row.places, row.more]).toEqual([[], 0]);
});

test('durations have the units of the language', () => {
  const row = rowOf({ ...restart, kind: 'pause', size: [4_800, 4_800] }, words);
  expect(row.words).toContain('units.h 1 units.min 20');
});

test('an event of several series is one row over their steps, with a link for each', () => {
  const row = rowOf(
    {
      ...restart,
      count: 30,
      tags: 3,
      step: 8,
      size: [2, 20],
      window: [0, 109],
      places: [
        { tag: 'epoch', step: 8, end_step: 9, window: [0, 9] },
        { tag: 'loss', step: 8, end_step: 99, window: [0, 109] },
      ],
    },
    words,
  );
  expect(row.where).toBe('tags 3 · fromTo 8 99');
  expect(row.words).toContain('range 2 20');
  expect(row.link).toBe('#/scalar?runs=a&zoom=0..109');
  expect(row.places.map(({ label }) => label)).toEqual(['epoch · fromTo 8 9', 'loss']);
  expect(row.more).toBe(28);
});

test('an event of a rule names the rule and the series that moved with it', () => {
  const moved = [
    { tag: 'grad_norm', lead: 3 },
    { tag: 'lr', lead: 0 },
  ];
  const spike = { ...restart, kind: 'spike', rule: 'spike', size: [9.25, 9.25], moved } as const;
  expect(rowOf(spike, words).words).toBe(
    'words.spike 1 units.s 9.3 9.25 925% #1 moved movedBefore grad_norm 3 #3, lr',
  );
  const own = { ...spike, rule: 'my_rule', moved: [] };
  expect(rowOf(own, words).words).toMatch(/^rule my_rule words\.spike/);
});

const damage: LogEvent = {
  train_id: './a',
  kind: 'bad_payload',
  severity: 'severe',
  count: 1,
  path: 'a/f',
  detail: 'Damaged.',
  lost_records: 1,
  offsets: [93],
};

test('damage shows its location and count', () => {
  expect(rowOf(damage, words)).toMatchObject({
    words: 'Damaged.',
    where: 'a/f · byte 93 · lost 1 #1',
    damage: { trainId: './a', path: 'a/f', offset: 93 },
    places: [],
  });
  const many = rowOf({ ...damage, count: 1_000, lost_records: 1_000, offsets: [93, 200] }, words);
  expect(many.words).toBe('Damaged. alike 999 #999');
  expect(many.where).toBe('a/f · from byte 93 · lost 1,000 #1000');
  expect(many.places.map((one) => one.damage?.offset)).toEqual([93, 200]);
  expect(many.more).toBe(998);
});

test('findings about a whole file or the base dir have no location', () => {
  expect(rowOf({ ...damage, offsets: [], lost_records: 0 }, words)).toMatchObject({
    where: 'a/f',
    damage: null,
    places: [],
  });
  expect(rowOf({ ...damage, train_id: null }, words)).toMatchObject({
    trainId: null,
    damage: null,
  });
});

test('pauses of a run are one row that counts them', () => {
  const row = rowOf(
    {
      ...restart,
      kind: 'pause',
      count: 6,
      times: 3,
      tags: 2,
      size: [82, 90],
      places: [restart.places[0], restart.places[0]].flatMap((place) => place ?? []),
    },
    words,
  );
  expect(row.words).toBe('words.pause 3 range units.min 1 units.s 22 units.min 1 units.s 30 #3');
  expect([row.places.length, row.more]).toEqual([2, 1]);
});
