/** A mindviz with something for every page, for tests that write nothing: one for all of them. */
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
