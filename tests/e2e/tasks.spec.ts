/** Tasks of users, on a sweep of 48 runs with long names, within a number of clicks. */
import type { Locator, Page } from '@playwright/test';

import { written } from './kinds';
import { card, drawnLines, expect, Mindviz, test as base } from './mindviz';
import { plotOf } from './scalar_card';

const test = base.extend<object, { sweep: Mindviz }>({
  sweep: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      written('written_tasks', mindviz.logs);
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker' },
  ],
});
test.afterEach(async ({ page }) => {
  await page.goto('about:blank');
});

/** A user who may click so many times; typing and pointing are free. */
class User {
  private clicks = 0;

  constructor(
    private readonly page: Page,
    private readonly most: number,
  ) {}

  async click(target: Locator): Promise<void> {
    this.count();
    await target.click();
  }

  /** Drags over a part of a chart, from and to shares of its width. */
  async drag(chart: Locator, from: number, to: number): Promise<void> {
    this.count();
    const { x, y, width, height } = await plotOf(chart);
    await this.page.mouse.move(x + width * from, y + height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width * to, y + height / 2, { steps: 4 });
    await this.page.mouse.up();
  }

  private count(): void {
    this.clicks++;
    expect(this.clicks, 'clicks').toBeLessThanOrEqual(this.most);
  }
}

const LONG = 'cifar100/resnet50_imagenet_pretrained_bs256_augmix';
const rail = (page: Page, place: string): Locator =>
  page.locator('.rail').getByRole('link', { name: place });

test('the best run by validation accuracy, and its config: 2 clicks', async ({ page, sweep }) => {
  const user = new User(page, 2);
  await page.goto(`${sweep.url}#/runs`);
  await user.click(
    page
      .getByRole('columnheader', { name: /^val\/accuracy/ })
      .getByRole('button')
      .first(),
  );
  const best = page.locator('.run').first();
  await expect(best).toContainText('adam');
  await user.click(best.getByRole('link').first());
  const drawer = page.getByRole('dialog', { name: `${LONG}_adam_lr0.01_seed4` });
  await expect(drawer.locator('article', { hasText: 'Config' })).toContainText(/lr\s*0\.01/);
});

test('five runs smoothed, a spike zoomed, its values read: fewer than 10 clicks', async ({
  page,
  sweep,
}) => {
  const user = new User(page, 9);
  await page.goto(`${sweep.url}#/scalar`);
  // The newest ten are selected.
  const filter = page.locator('input[name=runs]');
  await user.click(filter);
  await filter.fill('sgd_lr0.1_');
  await expect(page.locator('.job')).toHaveCount(10);
  // Selected runs that do not match are named without what all listed ones share, too.
  await expect(page.locator('.panel .job-name', { hasText: 'imagenet' })).toHaveCount(0);
  await user.click(page.getByRole('button', { name: 'Only these' }));
  await filter.fill('');
  await expect(page.locator('.job input:checked')).toHaveCount(5);
  const smoothing = page.getByRole('spinbutton', { name: 'Smoothing' });
  await user.click(smoothing);
  await smoothing.fill('0.6');
  const chart = card(page, 'train/loss');
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).length).toBe(5);
  await user.drag(chart, 0.64, 0.73);
  await expect
    .poll(() => new URL(page.url().replace('#', '')).searchParams.get('zoom') ?? '')
    .toMatch(/^1[23]\d.*\.\.1[34]\d/);
  const plot = await plotOf(chart);
  const [from, to] = (new URL(page.url().replace('#', '')).searchParams.get('zoom') ?? '')
    .split('..')
    .map(Number) as [number, number];
  await page.mouse.move(
    plot.x + (plot.width * (137 - from)) / (to - from),
    plot.y + plot.height / 2,
  );
  const tooltip = page.locator('.chart-tooltip');
  await expect(tooltip.locator('tbody tr')).toHaveCount(5);
  await expect(tooltip.locator('tbody tr', { hasText: 'seed0' })).toContainText(/9\.0000\s*137/);
});

test('which parameter matters: 1 click', async ({ page, sweep }) => {
  const user = new User(page, 1);
  await page.goto(sweep.url);
  await user.click(rail(page, 'Sweep'));
  const importance = page.getByRole('complementary');
  await expect(importance).toContainText('val/accuracy');
  await expect(importance.locator('ol > li').first()).toContainText(/^lr/);
});

test('why a run diverged: 2 clicks', async ({ page, sweep }) => {
  const user = new User(page, 2);
  await page.goto(sweep.url);
  await user.click(page.getByRole('banner').getByText(/^\d+ issues?$/));
  const issue = page.locator('main article', { hasText: 'NaN for' });
  await expect(issue).toContainText('NaN for 80 consecutive points.');
  await expect(issue).toContainText('train/loss · steps 120 to 199');
  await user.click(issue.getByRole('link', { name: 'Show' }));
  await expect(card(page, 'train/loss')).toBeVisible();
  // It grew for twenty steps before.
  await expect
    .poll(async () => {
      const lines = await drawnLines(page, 'train/loss');
      const line = lines.find(({ id }) => id === `./${LONG}_sgd_lr1.0_seed3`);
      return Math.max(...(line?.y ?? []).filter(Number.isFinite));
    })
    .toBeGreaterThan(1000);
});

test('mean and deviation over seeds, in table and chart: 2 clicks', async ({ page, sweep }) => {
  const user = new User(page, 2);
  await page.goto(`${sweep.url}#/runs`);
  await user.click(page.getByRole('button', { name: 'Mean over seeds' }));
  await expect(page.locator('.group', { hasText: 'adam' }).first()).toContainText(
    /0\.\d+ ± 0\.\d+\s*\(n=5\)/,
  );
  await user.click(rail(page, 'Charts'));
  const chart = card(page, 'val/accuracy');
  // Nothing was reduced.
  await expect(chart.locator('header .badge')).toHaveCount(0);
  await expect
    .poll(
      async () => (await drawnLines(page, 'val/accuracy')).filter((line) => line.bandLow).length,
    )
    .toBe(9);
  // The mean is of fewer runs once one diverges: the chart says where, and which.
  const { x, y, width, height } = await plotOf(card(page, 'train/loss'));
  await page.mouse.move(x + (width * 120) / 199, y + height - 6);
  await expect(page.locator('.chart-tooltip')).toContainText(
    /4 of 5 runs from here: .*seed3 is NaN or Inf/,
  );
});

test('curves of MindSpore and torch with different tags in one chart: 3 clicks', async ({
  page,
  sweep,
}) => {
  const user = new User(page, 3);
  // The newest ten are of torch.
  await page.goto(`${sweep.url}#/scalar`);
  await expect(page.locator('.job input:checked')).toHaveCount(10);
  await user.click(card(page, 'train/loss').getByRole('button', { name: /^Chart menu/ }));
  await user.click(page.getByRole('button', { name: 'Overlay another tag' }));
  const tags = page.getByRole('dialog').getByRole('list', { name: 'Tags of other runs' });
  await user.click(tags.getByRole('button', { name: 'loss +3 runs', exact: true }));
  await expect(page.locator('.job input:checked')).toHaveCount(13);
  await expect
    .poll(async () => {
      const lines = await drawnLines(page, 'train/loss, loss');
      return [lines.length, lines.filter(({ id }) => id.includes('mindspore')).length];
    })
    .toEqual([13, 3]);
});

test('the view is shared with its colors: 1 click', async ({ page, context, sweep }) => {
  const user = new User(page, 1);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${sweep.url}#/scalar?smooth=0.5&tags=loss`);
  const swatches = (on: Page): Promise<(string | null)[]> =>
    on
      .locator('.job:has(input:checked) .swatch rect')
      .evaluateAll((all) => all.map((rect) => rect.getAttribute('fill')));
  await expect(page.locator('.job input:checked')).toHaveCount(10);
  // Colors of this session, which another selection would not have.
  await page.locator('.job input:checked').first().focus();
  await page.keyboard.press('Space');
  await expect(page.locator('.job input:checked')).toHaveCount(9);
  await user.click(page.getByRole('button', { name: 'Copy link' }));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator('.job input:checked')).toHaveCount(9);
  expect(await swatches(other)).toEqual(await swatches(page));
  await expect(other.getByRole('spinbutton', { name: 'Smoothing' })).toHaveValue(/0\.50?/);
  await expect(card(other, 'train/loss')).toBeVisible();
  await expect(card(other, 'val/accuracy')).toHaveCount(0);
  await other.goto('about:blank');
  await other.close();
});

test('three runs are hidden and come back: 4 clicks', async ({ page, sweep }) => {
  const user = new User(page, 4);
  await page.goto(`${sweep.url}#/scalar`);
  const lines = async (): Promise<number> => (await drawnLines(page, 'train/loss')).length;
  await expect(card(page, 'train/loss')).toBeVisible();
  await expect.poll(lines).toBe(10);
  for (const index of [0, 1, 2]) {
    const job = page.locator('.job:has(input:checked)').nth(index);
    await job.hover();
    await user.click(job.getByRole('button', { name: /^Hide from charts/ }));
    await expect.poll(lines).toBe(9 - index);
  }
  await user.click(page.getByRole('button', { name: '3 hidden: show' }));
  await expect.poll(lines).toBe(10);
});
