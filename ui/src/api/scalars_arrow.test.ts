import { expect, test } from 'vitest';

import { STREAMS, streamOf } from './arrow_streams_for_tests';
import { seriesOfArrow } from './scalars_arrow';

test('series are decoded without loss', () => {
  const { cursor, series } = seriesOfArrow(streamOf(STREAMS.twoSeries));
  expect(cursor).toBe('CURSOR');
  expect(series).toHaveLength(2);
  expect(series[0]).toMatchObject({
    train_id: './a',
    tag: 'train/loss',
    total: 5,
    superseded: 2,
    reset: true,
    truncate_from_step: null,
  });
  expect([...(series[0]?.step ?? [])]).toEqual([0, 5, 2 ** 53]);
  expect([...(series[0]?.wall_time ?? [])]).toEqual([1.5, 2.5, NaN]);
  expect([...(series[0]?.value ?? [])]).toEqual([0.25, NaN, Infinity]);
  expect(series[1]).toMatchObject({ tag: '', reset: false, truncate_from_step: 4 });
  expect([...(series[1]?.step ?? [])]).toEqual([-1]);
});

test('decodes an answer without series', () => {
  expect(seriesOfArrow(streamOf(STREAMS.none))).toEqual({ cursor: 'NONE', series: [] });
});
