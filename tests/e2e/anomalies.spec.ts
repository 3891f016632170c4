/** Marks of events in charts, walking them, the column that counts them, and their webhook. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { card, drawnLines, expect, Mindviz, row, test } from './mindviz';
import { appendLog, points, writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';
const POINTS = 2_000;

/** Noise around 1 with spikes at these steps. */
function spikes(steps: readonly number[], tag = 'loss'): Point[] {
  const at = new Set(steps);
  let state = 1;
  const noise = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: POINTS }, (_, step) => ({
    tag,
    step,
    value: 1 + 0.1 * noise() + (at.has(step) ? 9 : 0),
    wall_time: 1_700_000_000 + step,
  }));
}

const stepsFrom = (first: number, count: number, apart: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i * apart);

/** The steps of the charts' common zoom. */
const zoom = (page: Page): readonly number[] =>
  (/zoom=([\d.]+)\.\.([\d.]+)/.exec(page.url()) ?? []).slice(1).map(Number);

async function marked(page: Page, tag: string): Promise<readonly number[]> {
  const [line] = await drawnLines(page, tag);
  return line?.marks.filter(({ kind }) => kind === 'event').map(({ x }) => x) ?? [];
}

test('all of many events have marks, and n and p walk them', async ({ page, mindviz }) => {
  // Jumps at regular or steadily changing intervals would follow a schedule.
  const steps = stepsFrom(100, 45, 40).map((step, i) => step + ([0, 4, 24][i % 3] ?? 0));
  writeLog(mindviz.file('run', NAME), spikes(steps));
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
  await expect.poll(() => marked(page, 'loss')).toEqual(steps);

  let last: readonly number[] = [];
  for (const step of steps) {
    await page.keyboard.press('n');
    await expect.poll(() => zoom(page)).not.toEqual(last);
    last = zoom(page);
    const [from = NaN, to = NaN] = last;
    expect([from <= step, to >= step]).toEqual([true, true]);
  }
  await page.keyboard.press('n'); // around the end
  await expect.poll(() => zoom(page)).toEqual([50, 150]);
  await page.keyboard.press('p');
  await expect.poll(() => zoom(page)).toEqual(last);
});

test('marks that are too close to tell apart are counted until the chart is zoomed', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('run', NAME), spikes([500, 504, 508, 1_500]));
  await page.goto(`${mindviz.url}#/scalar`);
  await expect.poll(() => marked(page, 'loss')).toEqual([500, 504, 508, 1_500]);
  const plot = card(page, 'loss').locator('.line-chart .u-over');
  const tooltip = page.locator('.chart-tooltip');
  const hover = async (share: number): Promise<void> => {
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart has no plot.');
    await page.mouse.move(box.x + share * box.width, box.y + box.height - 5);
  };
  await hover(500 / POINTS);
  await expect(tooltip).toContainText('run: Spike at step 500 +2 more');
  await hover(1_500 / POINTS);
  await expect(tooltip).toContainText('run: Spike at step 1,500');
  await expect(tooltip).not.toContainText('more');
  await page.keyboard.press('n');
  await expect.poll(() => zoom(page)).toEqual([450, 550]);
  await hover(0.5);
  await expect(tooltip).toContainText('run: Spike at step 500');
  await expect(tooltip).not.toContainText('more');
});

test('the column Anomalies counts events and links to those of the run', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('noisy', NAME), [...spikes([500], 'loss'), ...spikes([900], 'acc')]);
  writeLog(
    mindviz.file('broken', NAME),
    spikes([]).map((one) => (one.step < 1_800 ? one : { ...one, value: NaN })),
  );
  writeLog(mindviz.file('fine', NAME), spikes([]));
  await page.goto(`${mindviz.url}#/runs`);
  const link = (run: string) => row(page, run).locator('a[href*="#/health"]');
  await expect(link('noisy')).toHaveAccessibleName(/^noisy: 1 warning\./);
  await expect(link('broken')).toHaveAccessibleName(/^broken: 1 error\./);
  await expect(link('fine')).toHaveCount(0);
  const positions = (...runs: string[]): Promise<number[]> =>
    Promise.all(runs.map(async (run) => (await row(page, run).boundingBox())?.y ?? NaN));
  for (const [direction, runs] of [
    ['descending', ['broken', 'noisy']],
    ['ascending', ['noisy', 'broken']],
  ] as const) {
    const head = page.locator('[data-column=anomalies]');
    await head.locator('.title').click();
    await expect(head).toHaveAttribute('aria-sort', direction);
    await expect(async () => {
      const ys = await positions(...runs);
      expect(ys).toEqual(ys.toSorted((left, right) => left - right));
    }).toPass();
  }
  await link('noisy').click();
  await expect(page).toHaveURL(/#\/health\?.*run=/);
  await expect(page.locator('main article')).toHaveCount(1);
  await expect(page.locator('main article')).toContainText('Spike');
});

test('events that a webhook refuses are counted on the page', async ({ page }) => {
  const refusing = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((done) => refusing.listen(0, '127.0.0.1', done));
  const { port } = refusing.address() as AddressInfo;
  const mindviz = await Mindviz.start({
    arguments: ['--webhook', `http://127.0.0.1:${port}/secret`],
  });
  try {
    const file = mindviz.file('run', NAME);
    writeLog(
      file,
      points('loss', 50, () => 1),
    );
    await page.goto(`${mindviz.url}#/health`);
    await expect(page.getByText('No issues found')).toBeVisible();
    await expect(page.locator('.webhook')).toHaveCount(0);
    appendLog(
      file,
      points('loss', 1, () => NaN, 50),
    );
    await expect(page.locator('.webhook')).toHaveText(
      'Webhook 127.0.0.1: 1 message dropped · HTTP status 404',
      { timeout: 20_000 },
    );
    await page.getByRole('button', { name: 'About mindviz' }).click();
    await expect(page.getByText('127.0.0.1: 0 sent, 0 waiting, 1 dropped')).toBeVisible();
    await page.goto('about:blank');
  } finally {
    await mindviz.stop();
    refusing.close();
  }
});
