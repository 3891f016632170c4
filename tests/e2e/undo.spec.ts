import { card, drawnLines, expect, row, test } from './mindviz';
import { points, writeLog } from './tiny_writer';

/** Positive values, for logarithmic axes. */
const next = (step: number): number => step + 1;
const NAME = 'events.out.tfevents.1700000000.host';

test('every change of the view is undone and redone, across pages', async ({ page, mindviz }) => {
  for (const run of ['a', 'b'])
    writeLog(mindviz.file(run, NAME), [...points('loss', 50, next), ...points('acc', 50, next)]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').locator('.line-chart').waitFor();
  const undo = page.getByRole('button', { name: 'Undo' });
  const redo = page.getByRole('button', { name: 'Redo' });
  await expect(undo).toBeDisabled();

  const views = [page.url()];
  /** Waits for a new view and remembers its address. */
  const changed = async (): Promise<void> => {
    await expect(page).not.toHaveURL(views.at(-1) ?? '');
    views.push(page.url());
  };
  await page.getByRole('radio', { name: 'Relative' }).click();
  await changed();
  await page.getByRole('button', { name: 'Log y' }).click();
  await changed();
  await page.getByRole('spinbutton', { name: 'Smoothing' }).fill('0.5');
  await page.keyboard.press('Enter');
  await changed();
  await card(page, 'loss')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await changed();
  await row(page, 'b').locator('input').uncheck();
  await changed();
  await page.locator('.rail a[href*="#/runs"]').click();
  await changed();
  await page.locator('.rail a[href*="#/health"]').click();
  await changed();

  for (const url of views.slice(0, -1).reverse()) {
    await page.keyboard.press('Control+z');
    await expect(page).toHaveURL(url);
  }
  await expect(undo).toBeDisabled();
  await expect(row(page, 'b').locator('input')).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Step', exact: true })).toBeChecked();
  await expect(page.getByRole('heading', { name: 'Pinned' })).toHaveCount(0);
  await expect
    .poll(async () => (await drawnLines(page, 'loss')).map(({ raw }) => raw))
    .toEqual([null, null]);

  for (const url of views.slice(1)) {
    await page.keyboard.press('Control+Shift+z');
    await expect(page).toHaveURL(url);
  }
  await expect(redo).toBeDisabled();
  await undo.click();
  await undo.click();
  await expect(row(page, 'b').locator('input')).not.toBeChecked();
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
});

test("typing a filter is one step; in a text field Ctrl+Z is the browser's", async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [...points('loss', 50, next), ...points('acc', 50, next)]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').waitFor();
  await page.getByRole('button', { name: 'Log y' }).click();
  await expect(page).toHaveURL(/log=y/);
  const field = page.locator('input[name=tags]');
  await field.pressSequentially('loss');
  await expect(card(page, 'acc')).toHaveCount(0);
  await expect(page).toHaveURL(/tags=loss/);
  await page.locator('#main').focus();
  await page.keyboard.press('Control+z');
  await expect(field).toHaveValue('');
  await expect(card(page, 'acc')).toBeVisible();
  await expect(page).toHaveURL(/log=y/);
  // What is typed is taken back by the browser, and the view before it stays.
  await field.pressSequentially('loss');
  await expect(card(page, 'acc')).toHaveCount(0);
  await field.press('Control+z');
  await expect(field).not.toHaveValue('loss');
  await expect(page).toHaveURL(/log=y/);
});

test('Back and Forward restore views, also on other pages', async ({ page, mindviz }) => {
  for (const run of ['a', 'b']) writeLog(mindviz.file(run, NAME), points('loss', 50, next));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  await page.locator('.rail a[href*="#/health"]').click();
  await row(page, 'b').locator('input').uncheck();
  await expect(page).toHaveURL(/#\/health\?runs=a$/);
  await page.goBack();
  await expect(page).toHaveURL(/#\/scalar$/);
  await expect(row(page, 'b').locator('input')).toBeChecked();
  await page.goForward();
  await expect(page).toHaveURL(/#\/health\?runs=a$/);
  await expect(row(page, 'b').locator('input')).not.toBeChecked();
});

test('the key sheet lists undo, and the command field offers it', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 50, next));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  await page.getByRole('button', { name: 'Log x' }).click();
  await expect(page).toHaveURL(/log=x/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/log=x/);
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Undo');
});
