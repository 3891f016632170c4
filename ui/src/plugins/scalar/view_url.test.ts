import { expect, test } from 'vitest';

import { readCharts, readView, writeCharts, writeView, type ScalarViewState } from './view_url';

const usual = (): ScalarViewState => ({
  tagFilter: '',
  xAxis: 'step',
  xTag: '',
  smoothing: 0,
  smoothingKind: 'twema',
  logX: false,
  logY: false,
  clip: false,
  zoom: null,
  zooms: {},
  centre: 'mean',
  spread: 'std',
  pins: [],
  charts: [],
  large: null,
  tables: [],
  settings: {},
  folded: new Set(),
});

test('the default view adds nothing to the URL', () => {
  expect(Object.values(writeView(usual())).filter((value) => value !== undefined)).toEqual([]);
});

test('a written view is read back', () => {
  const view: ScalarViewState = {
    tagFilter: 'loss|acc',
    xAxis: 'value',
    xTag: 'a~b',
    smoothing: 25,
    smoothingKind: 'mean',
    logX: true,
    logY: true,
    clip: true,
    zoom: [-1.5, 2e9],
    zooms: { wall: '1..2' },
    centre: 'median',
    spread: 'none',
    pins: ['a~b', 'c'],
    charts: ['"a" - "b"'],
    large: '',
    tables: ['a~b', '="a" - "b"'],
    settings: { 'a~b': 'y=log', loss: 'low=0' },
    folded: new Set(['train', 'a"b']),
  };
  const again = usual();
  readView(writeView(view), again);
  expect(again).toEqual(view);
});

test('chart settings are kept on another page, which has its own tags', () => {
  const view: ScalarViewState = {
    ...usual(),
    tagFilter: 'loss',
    smoothing: 0.6,
    logY: true,
    zoom: [10, 40],
    tables: ['loss'],
    large: 'acc',
    folded: new Set(['train']),
  };
  const written = writeCharts(view);
  expect(Object.entries(written).filter(([, text]) => text !== undefined)).toEqual([
    ['smooth', 'twema:0.6'],
    ['log', 'y'],
    ['zoom', '10..40'],
    ['large', 'acc'],
    ['tables', 'loss'],
    ['folded', '["train"]'],
  ]);
  const again = usual();
  readCharts(written, again);
  expect(again).toEqual({ ...view, tagFilter: '' });
});

test('invalid values are replaced by defaults', () => {
  const view = usual();
  readView({ x: 'sideways', smooth: '7', log: '', zoom: '9..1', folded: '{' }, view);
  expect(view).toEqual(usual());
});

test('old links with one kind of smoothing keep their meaning', () => {
  const view = usual();
  readView({ smooth: '0.6' }, view);
  expect(view).toMatchObject({ smoothingKind: 'ema', smoothing: 0.6 });
  expect(writeView(view)['smooth']).toBe('0.6');
});
