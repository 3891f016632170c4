/** One mindviz with data for every page, shared by all tests that write nothing. */
import type { Fixtures } from '@playwright/test';

import { writeEverything } from './kinds';
import { inOpenPage as baseInOpenPage, Mindviz, test as base } from './mindviz';

const shared: Fixtures<object, { everything: Mindviz }> = {
  everything: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      writeEverything(mindviz.logs);
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker' },
  ],
};

export const test = base.extend<object, { everything: Mindviz }>(shared);
export const inOpenPage = baseInOpenPage.extend<object, { everything: Mindviz }>(shared);
