import type { Page, Route } from '@playwright/test';

import { test } from './everything';
import { card, expect } from './mindviz';
import { PAGES, titleOf, urlOf } from './pages';

test.use({ failing: true });

/** Intercepts all requests for data; the list of jobs still arrives. */
async function onData(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route(
    /\/v1\/mindviz\/(?!status|changes|views|experiments|plugins|datavisual\/train-job)/,
    answer,
  );
}

for (const shown of PAGES) {
  test(`${titleOf(shown)} shows slow answers and a failure, keeps working, and recovers`, async ({
    page,
    everything,
  }) => {
    let fails = true;
    let release = (): void => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    await onData(page, async (route) => {
      await released;
      await (fails
        ? route.fulfill({
            status: 500,
            json: { error_code: '50540000', error_msg: 'the disk is gone' },
          })
        : route.continue());
    });
    await page.goto(everything.url + urlOf(shown));
    // The table of runs has its rows already; only cells are empty.
    const words =
      shown.name === 'runs'
        ? page.locator('.run').first()
        : page
            .locator('main')
            .getByText(/Loading|Checking|Laying out|Computing layout/)
            .first();
    await expect(words).toBeVisible();
    release();
    await expect(page.getByText('the disk is gone').first()).toBeVisible();
    // Failures name the runs and the base dir, on empty pages, in cards and in lines.
    await expect(page.locator('.empty, [data-failure]').first()).toBeVisible();
    for (const one of await page.locator('.empty').all())
      await expect(one).toContainText(`Log directory ${everything.logs}`);
    for (const one of await page.locator('[data-failure]').all()) {
      await expect(one).toContainText(
        new RegExp(
          `(Run \\S+|Runs \\S+(, \\S+)+( and \\d+ more)?|All runs) in ${everything.logs}\\.`,
        ),
      );
      const card = one.locator('xpath=ancestor::article[contains(@aria-label, " · ")]');
      if ((await card.count()) > 0)
        await expect(one).toContainText(
          `Run ${(await card.getAttribute('aria-label'))?.split(' · ').at(-1)} in`,
        );
    }
    await expect(page.locator('.rail a[href*="#/runs"]')).toBeVisible();
    fails = false;
    const again = page.getByRole('button', { name: 'Try again' });
    // One answer may lead to further requests.
    await expect(async () => {
      for (const one of await again.all())
        if (await one.isVisible()) await one.click({ timeout: 1_000 });
      await expect(again).toHaveCount(0, { timeout: 1_000 });
      for (const one of shown.seen(page)) await expect(one).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
    await expect(page.getByText('the disk is gone')).toHaveCount(0);
  });
}

test('a truncated answer is reported as an error, including binary ones', async ({
  page,
  everything,
}) => {
  let fails = true;
  await onData(page, (route) =>
    fails
      ? route.fulfill({ status: 200, contentType: 'application/json', body: '{"half": [1,' })
      : route.continue(),
  );
  for (const [shown, tag] of [
    ['scalar', 'loss'],
    ['histogram', 'layer/weight'],
  ]) {
    fails = true;
    await page.goto(`${everything.url}#/${shown}`);
    const cards = card(page, tag ?? '');
    await expect(cards.first().getByRole('alert')).toContainText(
      shown === 'scalar' ? 'Could not load' : 'cannot be read',
    );
    fails = false;
    // One retry repeats all failed requests.
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(cards.first().locator('canvas').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
});

test('a failed listing of runs is reported and retried', async ({ page, everything }) => {
  let fails = true;
  await page.route(/datavisual\/train-job/, (route) =>
    fails
      ? route.fulfill({
          status: 500,
          json: { error_code: '50540000', error_msg: 'the disk is gone' },
        })
      : route.continue(),
  );
  await page.goto(`${everything.url}#/scalar`);
  await expect(page.getByRole('alert')).toContainText('the disk is gone');
  fails = false;
  await expect(card(page, 'loss').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('code that cannot be loaded is reported, and a reload loads it', async ({
  page,
  everything,
}) => {
  const missing = /\/assets\/(RunDrawer|SweepPage)-[^/]*\.js$/;
  await page.route(missing, (route) => route.abort());
  await page.goto(`${everything.url}#/runs`);
  await expect(page.locator('.run').first()).toBeVisible();
  await page.goto(`${everything.url}#/runs?job=./kinds/first`);
  const note = page.getByRole('alert');
  await expect(note).toContainText('Could not load a part of this page.');
  // A page that cannot be loaded says so itself.
  await page.goto(`${everything.url}#/sweep`);
  await expect(note).toHaveCount(1);
  await expect(note).toContainText('Could not load this page.');
  await page.unroute(missing);
  await note.getByRole('button', { name: 'Reload' }).click();
  await expect(page.locator('.model canvas').first()).toBeVisible();
  await expect(note).toHaveCount(0);
});
