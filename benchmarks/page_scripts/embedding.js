/** Frame times of an embedding while it is rotated. */
import { printResult, frames, inBrowser, task } from './chromium.js';

const MOVES = 60;

const PAGES = {
  mindviz: {
    canvas: async (page) => {
      const canvas = page.locator('article canvas[data-drawn=yes]').first();
      await canvas.waitFor();
      return canvas;
    },
  },
  tensorboard: {
    canvas: async (page) => {
      const projector = page.frameLocator('iframe').frameLocator('iframe');
      await projector.getByText(String(task.points)).first().waitFor();
      return projector.locator('#scatter canvas').first();
    },
  },
};

printResult(await inBrowser(async (page, browser) => {
  await page.goto(task.url);
  const canvas = await PAGES[task.page].canvas(page);
  await page.waitForTimeout(task.settling);
  const box = await canvas.boundingBox();
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  // This also stops an automatic rotation.
  await page.mouse.down();
  const rotated = await frames(page, browser, async () => {
    for (let i = 1; i <= MOVES; i++) {
      await page.mouse.move(left + (i * box.width) / 3 / MOVES, top + i);
      await page.waitForTimeout(16);
    }
  });
  await page.mouse.up();
  return rotated;
}, { webgl: true }));
