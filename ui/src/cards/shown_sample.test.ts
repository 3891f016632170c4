import { expect, test } from 'vitest';
import { reactive } from 'vue';

import { shownSample } from './shown_sample';

function sampleIn(sample: Record<string, string>, count: number) {
  const state = reactive({ sample });
  const at = shownSample(
    state,
    'sample',
    () => 'batch',
    () => count,
  );
  return { state, at };
}

test('a step with fewer samples shows its last one', () => {
  expect(sampleIn({ batch: '7' }, 3).at.value).toBe(2);
  expect(sampleIn({ batch: '7' }, 0).at.value).toBe(0);
  expect(sampleIn({ batch: 'x' }, 3).at.value).toBe(0);
});

test('a tag without its own sample shows that of all tags', () => {
  const { state, at } = sampleIn({ '': '1' }, 3);
  expect(at.value).toBe(1);
  at.value = 0;
  expect(at.value).toBe(0);
  expect(state.sample).toEqual({ '': '1', batch: '0' });
});

test('the first sample is not written', () => {
  const { state, at } = sampleIn({ batch: '2' }, 3);
  at.value = 0;
  expect(state.sample).toEqual({});
});
