import { card, drawnLines, expect, test, writeSweep } from './mindviz';
import { writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

function points(tag: string, count: number): Point[] {
  return Array.from({ length: count }, (_, step) => ({ tag, step, value: step + 1, wall_time: 1_700_000_000 + step }));
}

test('runs that a question chooses are chosen on every page, and in every address', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/scalar?filter=${encodeURIComponent('optimizer = adam')}&runs=*`);
  await expect(page.getByRole('complementary', { name: 'Train jobs' })).toContainText('3 of 6 chosen');
  const pages = await page.locator('[data-page]').evaluateAll((links) => links.map((link) => link.getAttribute('data-page') ?? ''));
  expect(pages.length).toBeGreaterThan(15);
  for (const name of pages) {
    await page.locator(`[data-page=${name}]`).click();
    await expect(page).toHaveURL(new RegExp(`#/${name}\\?`));
    const query = new URLSearchParams(page.url().split('?')[1]);
    expect([query.get('filter'), query.get('runs')], name).toEqual(['optimizer = adam', '*']);
    const panel = page.getByRole('complementary', { name: 'Train jobs' });
    if (await panel.isVisible()) await expect(panel, name).toContainText('3 of 6 chosen');
  }
});

test('links from earlier keep their meaning; one from later says that it may mean more', async ({ page, mindviz }) => {
  for (const run of ['a', 'b~c']) writeLog(mindviz.file(run, NAME), [...points('train/loss', 60), ...points('acc', 60)]);
  const old = '#/scalar?runs=a~b%257Ec&tags=loss&x=relative&smooth=0.6&log=y&zoom=10..40&pins=acc&folded=%5B%22acc%22%5D';
  await page.goto(mindviz.url + old);
  await expect(page.locator('.job input:checked')).toHaveCount(2);
  await expect(page.getByRole('radio', { name: 'relative' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'log y' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).map(({ x, raw }) => [x[1], x.at(-2), raw !== null])).toEqual([[10, 40, true], [10, 40, true]]);
  await expect(page.getByText('newer mindviz')).toHaveCount(0);

  await page.goto(`${mindviz.url}#/scalar?v=2&tags=acc&unheard=of`);
  await expect(page.getByText('This link was made by a newer mindviz')).toBeVisible();
  await expect(card(page, 'acc').locator('.line-chart')).toBeVisible();
  await expect(card(page, 'train/loss')).toHaveCount(0);
});

test('the address of a usual view is short', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 5));
  await page.goto(mindviz.url);
  await card(page, 'loss').waitFor();
  expect(page.url()).toBe(`${mindviz.url.replace(/\/$/, '')}/#/scalar`);
});

test('a link to the view is copied, by a button, a command, and where the browser gives no clipboard', async ({ page, context, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 5));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${mindviz.url}#/scalar?log=y`);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy a link to this view' }).click();
  await expect.poll(copied).toBe(page.url());
  await page.getByRole('button', { name: 'log x' }).click();
  await expect(page).toHaveURL(/log=xy/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy a link');
  await page.keyboard.press('Enter');
  await expect.poll(copied).toBe(page.url());

  await page.evaluate(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }); });
  await page.getByRole('button', { name: 'log x' }).click();
  await expect(page).toHaveURL(/log=y/);
  await page.getByRole('button', { name: 'Copy a link to this view' }).click();
  await page.evaluate(() => { delete (navigator as { clipboard?: unknown }).clipboard; });
  await expect.poll(copied).toBe(page.url());
});
