import { expect, test } from 'vitest';

import type { Window } from './scalar_windows';
import { tagsIn, windowOf, windowsOf, type Wanted } from './scalar_wanted';

const PAGE = { axis: 'step', from: 1, to: 2 } as const;
const OWN = { axis: 'relative', from: 3, to: 4 } as const;

const wanted: Wanted = {
  tags: new Map([
    ['loss', 10],
    ['acc', 10],
    ['lr', 10],
  ]),
  trainIds: [],
  window: PAGE,
  windows: new Map<string, Window>([
    ['acc', OWN],
    ['lr', null],
  ]),
  smoothing: '',
  has: () => true,
};

test('the window of a tag is that of its chart, if it has its own, or of the page', () => {
  expect(['loss', 'acc', 'lr'].map((tag) => windowOf(wanted, tag))).toEqual([PAGE, OWN, null]);
  expect(windowsOf(wanted)).toEqual([PAGE, OWN]);
  expect(windowsOf({ ...wanted, window: null, windows: new Map() })).toEqual([]);
});

test('every tag is in the window of everything, and in its own', () => {
  expect([...tagsIn(wanted, '').keys()]).toEqual(['loss', 'acc', 'lr']);
  expect([...tagsIn(wanted, 'step:1:2')]).toEqual([['loss', 10]]);
  expect([...tagsIn({ ...wanted, windowTags: new Map([['acc', 99]]) }, 'relative:3:4')]).toEqual([
    ['acc', 99],
  ]);
});
