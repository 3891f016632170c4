import type { Route } from '@playwright/test';

import { expectAccessible } from './kinds';
import { card, drawnLines, expect, row, test } from './mindviz';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test('views are saved, listed, opened, changed, shared, and start the page', async ({
  page,
  mindviz,
}) => {
  for (const run of ['a', 'b', 'c'])
    writeLog(mindviz.file(run, NAME), [...points('loss', 20), ...points('acc', 20)]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').locator('.line-chart').waitFor();
  const menu = page.getByRole('group', { name: 'Saved views' });
  const opener = page.getByRole('button', { name: /^Saved views/ });
  const action = (name: string, view: string) =>
    menu.getByRole('button', { name: `${name}: ${view}`, exact: true });

  // Save two views with the keyboard alone.
  await row(page, 'b').locator('input').uncheck();
  await page.getByRole('button', { name: 'Log y', exact: true }).click();
  await expect(page).toHaveURL(/log=y/);
  const logged = page.url();
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toContainText('No saved views yet');
  await expect(menu.getByRole('textbox', { name: 'View name' })).toBeFocused();
  await page.keyboard.type('Log y');
  await page.keyboard.press('Enter');
  await expect(opener).toHaveText('Log y');
  await page.keyboard.press('Escape');
  await page.locator('.rail a[href*="#/runs"]').click();
  await expect(opener).toHaveText('Log y (modified)');
  await opener.click();
  await menu.getByRole('textbox', { name: 'View name' }).fill('Table');
  await menu.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(menu.getByRole('listitem')).toHaveText(['Log y', 'Table']);
  await expectAccessible(page);

  // Names are unique; renaming keeps the link.
  await action('Rename', 'Table').click();
  await page.keyboard.type('Log y');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('alert')).toHaveText('Name already in use');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('All runs');
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('listitem')).toHaveText(['All runs', 'Log y']);

  // Delete, and take it back.
  await action('Delete', 'All runs').click();
  await expect(menu.getByRole('listitem')).toHaveText(['Log y']);
  await expect(menu.getByRole('button', { name: 'Undo' })).toBeFocused();
  await menu.getByRole('button', { name: 'Undo' }).click();
  await expect(menu.getByRole('listitem')).toHaveText(['All runs', 'Log y']);

  // Open one from the list, and change it.
  await menu.getByRole('button', { name: 'Log y', exact: true }).click();
  await expect(page).toHaveURL(logged);
  await expect(row(page, 'b').locator('input')).not.toBeChecked();
  await page.getByRole('button', { name: 'Log y', exact: true }).click();
  await opener.click();
  await menu.getByRole('button', { name: 'Update “Log y”' }).click();
  await expect(opener).toHaveText('Log y');
  await action('Open by default', 'Log y').click();
  await expect(action('Open by default', 'Log y')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');

  // The command palette lists them.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('all runs');
  await page.keyboard.press('Enter');
  await expect(opener).toHaveText('All runs');

  // The folder starts with its default view; a link leads to one by its name.
  await page.goto('about:blank');
  await page.goto(mindviz.url);
  await expect(opener).toHaveText('Log y');
  await expect(page).toHaveURL(/#\/scalar\?runs=/);
  await expect(row(page, 'b').locator('input')).not.toBeChecked();
  await expect.poll(async () => (await drawnLines(page, 'acc')).length).toBe(2);
  // In the open page, whose selection is another one.
  await row(page, 'b').locator('input').check();
  await page.goto(`${mindviz.url}#/view/All%20runs`);
  await expect(opener).toHaveText('All runs');
  await expect(page).toHaveURL(/#\/runs\?/);
  await page.goto(`${mindviz.url}#/view/Nothing`);
  await expect(page.getByRole('alert')).toContainText('No saved view “Nothing” here.');

  await page.setViewportSize({ width: 360, height: 640 });
  await opener.click();
  await expect(action('Delete', 'Log y')).toBeInViewport();
});

test.describe('views that cannot be read', () => {
  test.use({ failing: true });

  test('are reported, and the link to one is followed again', async ({ page, mindviz }) => {
    writeLog(mindviz.file('a', NAME), points('loss', 20));
    await page.goto(`${mindviz.url}#/scalar?log=y`);
    const menu = page.getByRole('group', { name: 'Saved views' });
    const opener = page.getByRole('button', { name: /^Saved views/ });
    await opener.click();
    await expect(menu.getByRole('textbox', { name: 'View name' })).toBeFocused();
    await page.keyboard.type('Log y');
    await page.keyboard.press('Enter');
    await expect(opener).toHaveText('Log y');
    await page.goto('about:blank');

    const fail = (route: Route): Promise<void> =>
      route.fulfill({
        status: 500,
        json: { error_code: '50540000', error_msg: 'the disk is gone' },
      });
    await page.route(/\/v1\/mindviz\/views/, fail);
    await page.goto(`${mindviz.url}#/view/Log%20y`);
    const alert = page.locator('main').getByRole('alert');
    await expect(alert).toContainText('the disk is gone');
    await expect(page.locator('.menu [role=alert]')).toHaveCount(0);
    await opener.click();
    await expect(menu.getByRole('alert')).toContainText('the disk is gone');
    await page.unroute(/\/v1\/mindviz\/views/);
    await menu.getByRole('button', { name: 'Try again' }).click();
    await expect(menu.getByRole('alert')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(opener).toHaveText('Log y');
    await expect(page).toHaveURL(/#\/scalar\?.*log=y/);
    await expect(alert).toHaveCount(0);
  });
});

test('a long name of a view is whole in the menu', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 20));
  await page.goto(`${mindviz.url}#/scalar`);
  await page.getByRole('button', { name: /^Saved views/ }).click();
  const menu = page.getByRole('group', { name: 'Saved views' });
  const name = `${'resnet50 with a cosine schedule, '.repeat(2)}five seeds`;
  await menu.getByRole('textbox', { name: 'View name' }).fill(name);
  await menu.getByRole('button', { name: 'Save', exact: true }).click();
  const opener = menu.getByRole('button', { name, exact: true });
  const { width, height } = (await opener.boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBeLessThan(300);
  expect(height).toBeGreaterThan(40);
});
