import { expect, test } from 'vitest';
import { reactive } from 'vue';

import type { CardTexts } from '@/base/url_fields';

import { cardName, cardZoom, outward, tableMode } from './card_state';

test('each card keeps its own table mode and range', () => {
  const state = reactive<{ tables: readonly string[]; zoom: CardTexts }>({ tables: [], zoom: {} });
  const [a, b] = [cardName('loss', './a'), cardName('loss', './b')];
  const [first, second] = [tableMode(state, () => a), tableMode(state, () => b)];
  second.value = true;
  first.value = true;
  expect(state.tables).toEqual(['loss@a', 'loss@b']);
  second.value = false;
  expect([first.value, second.value]).toEqual([true, false]);

  const zoom = cardZoom(state, () => a);
  zoom.value = [10.4, 39.7];
  expect([zoom.value, state.zoom]).toEqual([[10, 40], { 'loss@a': '10..40' }]);
  expect(cardZoom(state, () => b).value).toBeNull();
  zoom.value = null;
  expect(state.zoom).toEqual({});
});

test('a range is rounded to few digits and never shrinks', () => {
  expect(outward([1_700_000_000.123456, 1_700_000_012.98765], false)).toEqual([
    1_700_000_000.12, 1_700_000_012.99,
  ]);
  expect(outward([123_456_789, 987_654_321], true)).toEqual([123_400_000, 987_700_000]);
  for (const range of [
    [0.12345678, 0.12349999],
    [-3e-9, 1e-9],
    [-1e12, 7],
  ] as const) {
    const [from, to] = outward(range, false);
    const width = range[1] - range[0];
    expect(from).toBeLessThanOrEqual(range[0]);
    expect(to).toBeGreaterThanOrEqual(range[1]);
    expect(to - from).toBeLessThan(1.01 * width);
  }
});
