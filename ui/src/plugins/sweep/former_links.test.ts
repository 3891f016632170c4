import { expect, test } from 'vitest';

import { hparamsLink, lineageLink } from './former_links';

test('links to the page of parameters keep their arguments', () => {
  expect(lineageLink({ runs: '*', cols: 'lr~metric/acc', target: '[M]acc' })).toEqual({
    runs: '*',
    cols: 'lr~metric/acc',
    target: '[M]acc',
  });
  // Marked ranges are positions on linear axes.
  expect(lineageLink({ brush: 'lr:0..1' })).toEqual({ brush: 'lr:0..1', scale: 'linear' });
  expect(lineageLink({ brush: 'lr:-3..-1', scale: 'log' })).toMatchObject({ scale: 'log' });
});

test('links to datasets lead elsewhere', () => {
  expect(lineageLink({ view: 'data' })).toBeNull();
});

test('links to session groups name their columns as all pages do', () => {
  expect(
    hparamsLink({
      show: 'parallel',
      open: 'a',
      runs: 'a~b',
      statistic: 'max',
      every: '1',
      sort: '-m/accuracy~h/lr~name',
      brush: 'h/lr:0.1..0.2~m/val/acc:0..1',
      tint: 'm/accuracy',
    }),
  ).toEqual({
    runs: 'a~b',
    statistic: 'max',
    every: '1',
    scale: 'linear',
    sort: '-metric/accuracy~lr~name',
    brush: 'lr:0.1..0.2~metric/val/acc:0..1',
    tint: 'metric/accuracy',
  });
  expect(hparamsLink({})).toEqual({});
});
