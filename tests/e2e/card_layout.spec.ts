import type { Locator, Page } from '@playwright/test';

import { card, expect, test } from './mindviz';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

/** Titles of the cards in the order of the page. */
const order = (page: Page): Promise<string[]> =>
  page
    .locator('article.card')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));

async function boxOf(
  place: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error('not visible');
  return box;
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(to[0] - 3, to[1]);
  await page.mouse.move(...to);
  await page.mouse.up();
}

test('cards share rows, and are moved and resized with pointer and keyboard', async ({
  page,
  mindviz,
}) => {
  const tags = ['lr', 'a/x', 'b/x', 'eval/acc', 'train/a', 'train/b', 'train/c', 'train/d'];
  writeLog(
    mindviz.file('run', NAME),
    tags.flatMap((tag) => points(tag, 5)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const top = async (tag: string): Promise<number> => (await boxOf(card(page, tag))).y;
  await expect.poll(() => order(page)).toEqual(tags);
  await card(page, 'train/d').locator('.line-chart').waitFor();

  // Two sections with a card each share a row: by default there are two columns.
  expect(await top('lr')).toBe(await top('a/x'));
  const layout = page.getByRole('button', { name: 'Layout' });
  await layout.click();
  await page.getByLabel('Columns').selectOption('4');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/columns=4/);
  await expect.poll(async () => (await top('train/d')) - (await top('train/a'))).toBe(0);
  expect(await top('lr')).toBe(await top('eval/acc'));

  // By the header, before another card of the section; other sections take no card of it.
  const header = async (tag: string): Promise<readonly [number, number]> => {
    const { x, y } = await boxOf(card(page, tag));
    return [x + 30, y + 20];
  };
  await drag(page, await header('train/d'), await header('train/a'));
  await expect.poll(() => order(page)).toEqual([...tags.slice(0, 4), ...'dabc'].map(named));
  await drag(page, await header('train/b'), await header('eval/acc'));
  await expect(page).toHaveURL(/cards=train\/d~train\/a(&|$)/);

  // The keyboard moves the card that has the focus, which it keeps.
  const handle = page.getByRole('button', { name: 'Move or resize: train/b' });
  await handle.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => order(page)).toEqual([...tags.slice(0, 4), ...'dbac'].map(named));
  await expect(handle).toBeFocused();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page).toHaveURL(/sizes=2x@train\/b/);
  const width = async (tag: string): Promise<number> => (await boxOf(card(page, tag))).width;
  await expect
    .poll(async () => (await width('train/b')) / (await width('train/d')))
    .toBeGreaterThan(2);

  // Back and forth: the width follows the pointer, and the drag that ends where it began changes nothing.
  const grip = await boxOf(card(page, 'train/a'));
  const column = grip.width + 12;
  const [gripX, gripY] = [grip.x + grip.width - 6, grip.y + grip.height - 6];
  await page.mouse.move(gripX, gripY);
  await page.mouse.down();
  for (const [columns, spans] of [
    [1, 2],
    [1.1, 2],
    [2, 3],
    [0, 1],
  ] as const) {
    await page.mouse.move(gripX + columns * column, gripY);
    await expect.poll(async () => await width('train/a')).toBeCloseTo(spans * column - 12, 0);
  }
  await page.mouse.up();
  await expect(page).toHaveURL(/sizes=2x@train\/b(&|$)/);
  // The corner resizes: the row takes the height.
  const { x, y, width: wide, height } = await boxOf(card(page, 'train/d'));
  await drag(page, [x + wide - 6, y + height - 6], [x + wide + 2, y + height + 100]);
  await expect(page).toHaveURL(/x360@train\/d/);
  await expect.poll(async () => (await boxOf(card(page, 'train/a'))).height).toBe(360);

  // Undo takes the last step back; the rest is there in the next visit, without a link.
  await page.keyboard.press('Control+z');
  await expect(page).not.toHaveURL(/x360/);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/scalar`);
  await expect.poll(() => order(page)).toEqual([...tags.slice(0, 4), ...'dbac'].map(named));
  await expect(page).toHaveURL(link);

  await layout.click();
  await page.getByRole('button', { name: 'Reset order and sizes' }).click();
  await expect.poll(() => order(page)).toEqual(tags);
  await expect(page).not.toHaveURL(/cards=|sizes=/);
});

test('charts below a dragged card show no values', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('run', NAME),
    ['a', 'b'].flatMap((tag) => points(tag, 5)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  for (const tag of ['a', 'b']) await card(page, tag).locator('.u-over').waitFor();
  const from = await boxOf(card(page, 'a'));
  const to = await boxOf(card(page, 'b').locator('.u-over'));
  const middle = [to.x + to.width / 2, to.y + to.height / 2] as const;
  await page.mouse.move(from.x + 30, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(...middle, { steps: 4 });
  await expect(page.locator('.placed.after, .placed.before')).toHaveCount(1);
  const pointed = (): Promise<boolean> =>
    page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.closest('.line-chart') != null,
      middle,
    );
  expect(await pointed()).toBe(false);
  await page.mouse.up();
  await expect.poll(pointed).toBe(true);
});

test('two cards share the width of a wide screen', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), [...points('acc', 5), ...points('loss', 5)]);
  await page.setViewportSize({ width: 2_560, height: 900 });
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').locator('.line-chart').waitFor();
  const [main, loss] = [await boxOf(page.locator('main')), await boxOf(card(page, 'loss'))];
  expect(loss.x + loss.width).toBeGreaterThan(main.x + main.width - 40);
});

test('a section that is named again above later rows leaves no heads behind', async ({
  page,
  mindviz,
}) => {
  const tags = ['a/x', ...Array.from({ length: 6 }, (_, i) => `b/${i}`), 'c/x'];
  writeLog(
    mindviz.file('run', NAME),
    tags.flatMap((tag) => points(tag, 5)),
  );
  await page.goto(`${mindviz.url}#/scalar?columns=3`);
  const heads = page.locator('.area .head');
  const three = [/^a/, /^b/, 'b, continued', 'b, continued', /^c/];
  await expect(heads).toHaveText(three);
  for (const [columns, names] of [
    ['4', [/^a/, /^b/, 'b, continued', /^c/]],
    ['3', three],
  ] as const) {
    await page.getByRole('button', { name: 'Layout' }).click();
    await page.getByLabel('Columns').selectOption(columns);
    await page.keyboard.press('Escape');
    await expect(heads).toHaveText(names);
  }
});

function named(tag: string): string {
  return tag.length === 1 ? `train/${tag}` : tag;
}
