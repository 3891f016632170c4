/** What frames cost the main thread of a page that draws very many points, while these are turned. */
import { answer, frames, inBrowser, told } from './chromium.js';

const MOVES = 60;

const PAGES = {
  mindviz: {
    picture: async (page) => {
      const picture = page.locator('article canvas[data-drawn=yes]').first();
      await picture.waitFor();
      return picture;
    },
  },
  tensorboard: {
    picture: async (page) => {
      const projector = page.frameLocator('iframe').frameLocator('iframe');
      await projector.getByText(String(told.points)).first().waitFor();
      return projector.locator('#scatter canvas').first();
    },
  },
};

answer(await inBrowser(async (page, browser) => {
  await page.goto(told.url);
  const picture = await PAGES[told.page].picture(page);
  await page.waitForTimeout(told.settling);
  const box = await picture.boundingBox();
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  // A projector that turns by itself stops at the first touch.
  await page.mouse.down();
  const turned = await frames(page, browser, async () => {
    for (let i = 1; i <= MOVES; i++) {
      await page.mouse.move(left + (i * box.width) / 3 / MOVES, top + i);
      await page.waitForTimeout(16);
    }
  });
  await page.mouse.up();
  return turned;
}, { inSpace: true }));
