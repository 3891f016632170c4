import { expect, test } from 'vitest';
import { createApp, nextTick, ref } from 'vue';

import { SINGLE_VALUES, useSingleValueOf } from './single_values';

test('a card that shows another series is no longer known by the former one', async () => {
  const keys = new Set<string>();
  const app = createApp({ render: () => null });
  app.provide(SINGLE_VALUES, keys);
  const [key, isSingle] = [ref('a'), ref(true)];
  app.runWithContext(() => {
    useSingleValueOf(
      () => key.value,
      () => isSingle.value,
    );
  });
  expect([...keys]).toEqual(['a']);
  key.value = 'b';
  await nextTick();
  expect([...keys]).toEqual(['b']);
  isSingle.value = false;
  await nextTick();
  expect([...keys]).toEqual([]);
});
