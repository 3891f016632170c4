/** One mindviz with data for every page, shared by all tests that write nothing. */
import { writeEverything } from './kinds';
import { Mindviz, test as base } from './mindviz';

export const test = base.extend<object, { everything: Mindviz }>({
  everything: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      writeEverything(mindviz.logs);
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker' },
  ],
});
test.afterEach(async ({ page }) => {
  await page.goto('about:blank');
});
