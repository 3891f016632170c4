import { effectScope } from 'vue';
import { expect, test } from 'vitest';

import { pageSteps, usePageSteps } from './page_head';

test('the steps are those of the page that opened last, until it closes', () => {
  const before = effectScope();
  const next = effectScope();
  before.run(() => usePageSteps(() => [1, 2]));
  expect(pageSteps.value).toEqual([1, 2]);
  next.run(() => usePageSteps(() => [3]));
  before.stop();
  expect(pageSteps.value).toEqual([3]);
  next.stop();
  expect(pageSteps.value).toBeNull();
});
