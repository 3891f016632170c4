import { expect, test } from 'vitest';

import { readView, writeView, type ScalarViewState } from './view_url';

const usual = (): ScalarViewState => ({
  tagFilter: '', xAxis: 'step', smoothing: 0, logX: false, logY: false, zoom: null, large: null, folded: new Set(),
});

test('the usual view leaves the URL alone', () => {
  expect(Object.values(writeView(usual())).filter((value) => value !== undefined)).toEqual([]);
});

test('what is written is read again', () => {
  const view: ScalarViewState = {
    tagFilter: 'loss|acc', xAxis: 'wall', smoothing: 0.6, logX: true, logY: true, zoom: [-1.5, 2e9], large: '',
    folded: new Set(['train', 'a"b']),
  };
  const again = usual();
  readView(writeView(view), again);
  expect(again).toEqual(view);
});

test('nonsense is as usual', () => {
  const view = usual();
  readView({ x: 'sideways', smooth: '7', log: '', zoom: '9..1', folded: '{' }, view);
  expect(view).toEqual(usual());
});
