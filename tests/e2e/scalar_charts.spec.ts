import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { card, drawnLines, expect, ROOT, test, writeSweep } from './mindviz';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function plotOf(chart: Locator): Promise<Box> {
  await chart.locator('.line-chart').waitFor();
  const box = await chart.locator('.u-over').boundingBox();
  if (!box) throw new Error('The chart has no plot.');
  return box;
}

async function saved(page: Page, tag: string, name: string): Promise<string> {
  await card(page, tag)
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  const download = page.waitForEvent('download');
  await page.locator('.menu:popover-open').getByText(name, { exact: true }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** Labels of the axes, as the picture that people take along has them. */
async function ticks(page: Page, tag: string): Promise<string[]> {
  return [...(await saved(page, tag, 'SVG')).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
    ([, label = '']) => label,
  );
}

/** Where a chart's crosshair stands, in pixels from the left of its plot; null: nowhere. */
function crosshair(chart: Locator): Promise<number | null> {
  return chart.locator('.plot-crosshair').evaluate((element) => {
    const line = element.getBoundingClientRect();
    const plot = element.parentElement?.getBoundingClientRect();
    return line.height > 0 && plot ? line.left - plot.left : null;
  });
}

test('a zoom is that of all charts, and so is the crosshair', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('loss', 3_000, (step) => step),
    ...points('acc', 3_000, (step) => -step),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  await plotOf(card(page, 'acc'));
  await page.mouse.move(box.x + box.width / 4, box.y + 40);
  for (const tag of ['loss', 'acc'])
    await expect.poll(() => crosshair(card(page, tag))).toBeCloseTo(box.width / 4, -1);

  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 3, box.y + 60, { steps: 3 });
  await page.mouse.up();
  for (const tag of ['loss', 'acc']) {
    await expect(card(page, tag)).toContainText(/all 2\d\d points/);
    const [line] = await drawnLines(page, tag);
    expect(line?.x[1]).toBeGreaterThan(700);
    expect(line?.x.at(-2)).toBeLessThan(1_100);
  }
  await page.locator('.zoomed').click();
  await expect(card(page, 'acc')).toContainText('of 3,000 · exact');
});

test('the tooltip names the five nearest, nearest first', async ({ page, mindviz }) => {
  for (let i = 0; i < 8; i++)
    writeLog(
      mindviz.file(`run_${i}`, NAME),
      points('loss', 20, () => i),
    );
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 3);
  const names = page.locator('.chart-tooltip .label');
  await expect(names).toHaveText(['run_0', 'run_1', 'run_2', 'run_3', 'run_4']);
  await expect(page.locator('.chart-tooltip')).toContainText('+3 more');
  await page.mouse.move(box.x + box.width / 2, box.y + 3);
  await expect(names).toHaveText(['run_7', 'run_6', 'run_5', 'run_4', 'run_3']);
});

test('logarithmic axes have their own ticks, clipping leaves out spikes', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 1_001, (step) => (step === 500 ? 1e6 : 10 ** (step % 4))),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').locator('.line-chart').waitFor();
  expect(await ticks(page, 'loss')).toEqual(expect.arrayContaining(['400k', '1M']));
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'clip outliers' }).click();
  await expect.poll(async () => (await ticks(page, 'loss')).includes('1M')).toBe(false);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'clip outliers' }).click();
  await page.getByRole('button', { name: 'log y' }).click();
  await page.getByRole('button', { name: 'log x' }).click();
  const labels = await ticks(page, 'loss');
  expect(labels).toEqual(expect.arrayContaining(['1', '100', '10k', '1M']));
  expect(labels).toEqual(expect.arrayContaining(['10']));
  expect(labels).not.toContain('200');
});

test('NaN and infinite values leave marks where they begin, with words', async ({
  page,
  mindviz,
}) => {
  const value = (step: number): number =>
    step >= 20 && step < 25
      ? NaN
      : step >= 60 && step < 62
        ? Infinity
        : step === 80
          ? -Infinity
          : 1;
  writeLog(mindviz.file('a', NAME), points('loss', 101, value));
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  expect((await drawnLines(page, 'loss'))[0]?.marks).toEqual([
    { kind: 'nan', x: 20 },
    { kind: 'infinite', x: 60 },
    { kind: 'infinite', x: 80 },
  ]);
  for (const [step, words] of [
    [20, 'NaN from step 20'],
    [60, 'infinite from step 60'],
  ] as const) {
    await page.mouse.move(box.x + (box.width * step) / 100, box.y + box.height - 3);
    await expect(page.locator('.chart-tooltip')).toContainText(`a: ${words}`);
  }
});

test('groups say how many runs each step is of; seeds of one configuration are one group', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  writeLog(
    mindviz.file('long', NAME),
    points('train/loss', 9, () => 1),
  );
  await page.goto(`${mindviz.url}#/scalar?runs=*&group=*`);
  await expect(card(page, 'train/loss')).toContainText('1 group of 7 runs');
  const box = await plotOf(card(page, 'train/loss'));
  const n = page.locator('.chart-tooltip .raw');
  await page.mouse.move(box.x + 3, box.y + 40);
  await expect(n).toHaveText(['n = 1']);
  await page.mouse.move(box.x + (box.width * 2) / 8, box.y + 40);
  await expect(n).toHaveText(['n = 7']);
  await page.mouse.move(box.x + box.width - 3, box.y + 40);
  await expect(n).toHaveText(['n = 1']);

  await page.locator('[data-job="./long"] input').uncheck();
  // Learning rates differ in all six, seeds are 0 to 3: of adam 0, 2, 0; of sgd 1, 3, 1.
  await page.locator('select[name=group]').selectOption({ label: 'all but lr' });
  await expect(card(page, 'train/loss')).toContainText('4 groups of 6 runs');
  await expect(page).toHaveURL(/group=\*-/);
  await page.reload();
  await expect(card(page, 'train/loss')).toContainText('4 groups of 6 runs');
  expect((await drawnLines(page, 'train/loss')).map(({ id }) => id).sort()).toEqual([
    'optimizer adam, seed 0',
    'optimizer adam, seed 2',
    'optimizer sgd, seed 1',
    'optimizer sgd, seed 3',
  ]);
});

test('a formula is computed over all points, whatever is drawn of them', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('up', 20_000, (step) => (step === 13_331 ? 70 : step % 5)),
    ...points('down', 20_000, (step) => (step === 13_331 ? -30 : 0)),
  ]);
  writeLog(
    mindviz.file('b', NAME),
    points('up', 10, () => 1),
  );
  const formulas = encodeURIComponent('up - down, cummax(up) % 64');
  const tag = 'up - down, cummax(up) % 64';
  await page.goto(`${mindviz.url}#/scalar?charts=${formulas}`);
  await expect(card(page, tag)).toContainText('of 40 k · exact');
  const whole = await drawnLines(page, tag);
  expect(Math.max(...(whole[0]?.bandHigh ?? []))).toBe(100);
  // A run that lacks a tag has no line of what needs it.
  expect(whole.map(({ id }) => id.split('\0')[0])).toEqual(['./a', './a', './b']);

  await page.goto(`${mindviz.url}#/scalar?charts=${formulas}&zoom=13300..13360`);
  await expect.poll(async () => (await drawnLines(page, tag))[0]?.x.length).toBe(63);
  const [difference, most] = await drawnLines(page, tag);
  expect(difference?.y[difference.x.indexOf(13_331)]).toBe(100);
  expect(most?.y.slice(1, -1)).toEqual(
    Array.from({ length: 61 }, (_, i) => (13_300 + i < 13_331 ? 4 : 6)),
  );
});

test.describe('while an answer fails', () => {
  test.use({ failing: true });

  test('a chart that cannot be computed says so, and lets the others be', async ({
    page,
    mindviz,
  }) => {
    writeLog(
      mindviz.file('a', NAME),
      points('loss', 10, (step) => step),
    );
    await page.route('**/scalars/formulas?*', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/json',
        body: '{"error_code": "50542218", "error_msg": "It makes no sense."}',
      }),
    );
    await page.goto(`${mindviz.url}#/scalar?charts=${encodeURIComponent('loss * 2')}`);
    await expect(card(page, 'loss * 2')).toContainText('It makes no sense.');
    await expect(card(page, 'loss')).toContainText('all 10 points');
    await page.unroute('**/scalars/formulas?*');
    await card(page, 'loss * 2').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await drawnLines(page, 'loss * 2'))[0]?.y.at(-1)).toBe(18);
  });
});

test('a chart fills the window, and Esc gives it back', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 50, (step) => step),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const before = await plotOf(card(page, 'loss'));
  await card(page, 'loss').getByRole('button', { name: 'Full screen' }).click();
  await expect.poll(async () => (await plotOf(card(page, 'loss'))).width).toBeGreaterThan(1_300);
  expect((await plotOf(card(page, 'loss'))).height).toBeGreaterThan(600);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await plotOf(card(page, 'loss'))).width).toBe(before.width);
  await card(page, 'loss').getByRole('button', { name: 'Enlarge' }).click();
  await expect
    .poll(async () => (await plotOf(card(page, 'loss'))).width)
    .toBeGreaterThan(before.width * 1.5);
});

test('all points of a long series are taken along, and what is drawn of them', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 6_000, (step) => step),
  );
  writeLog(
    mindviz.file('b', NAME),
    points('loss', 5, (step) => step),
  );
  await page.goto(`${mindviz.url}#/scalar?runs=a`);
  await expect(card(page, 'loss')).toContainText('of 6,000 · exact');
  const rows = async (name: string): Promise<number> =>
    (await saved(page, 'loss', name)).trim().split('\n').length - 1;
  // Of a second run that is not chosen there is nothing.
  expect(await rows('CSV of all points')).toBe(6_000);
  expect(await rows('CSV of what is drawn')).toBeLessThan(1_100);
  // What somebody wrote is computed of all of them.
  await page.goto(`${mindviz.url}#/scalar?runs=a&charts=${encodeURIComponent('loss * 2')}`);
  const computed = (await saved(page, 'loss * 2', 'CSV of all points')).trim().split('\r\n');
  expect([computed.length - 1, computed.at(-1)?.split(',').at(-1)]).toEqual([6_000, '11998.0']);
});

test('what is no regular expression yet is searched as it is', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('f(x)', 5, () => 1),
    ...points('loss', 5, () => 1),
    ...points('acc', 5, () => 1),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  await page.locator('input[name=tags]').fill('f(');
  await expect(page.locator('.card')).toHaveCount(1);
  await page.locator('input[name=tags]').fill('^(loss|a.c)$');
  await expect(page.locator('.card')).toHaveCount(2);
});

test('tags stand in sections by what they begin with, which are closed and opened, as the link says', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    ['train/loss', 'train/acc', 'valid/loss', 'lr'].flatMap((tag) => points(tag, 5, () => 1)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const sections = page.locator('main button.fold');
  await expect(sections).toHaveText(['General1 tag', 'train2 tags', 'valid1 tag']);
  await expect(page.locator('.card')).toHaveCount(4);
  await sections.nth(1).click();
  await expect(page.locator('.card')).toHaveCount(2);
  await expect(page).toHaveURL(/folded=.*train/);
  await page.reload();
  await expect(page.locator('.card')).toHaveCount(2);
  await expect(card(page, 'train/loss')).toHaveCount(0);
  await sections.nth(1).click();
  await expect(page.locator('.card')).toHaveCount(4);
});

test('a worker paints the lines that the page would have painted', async ({ page, mindviz }) => {
  for (let i = 0; i < 4; i++) {
    writeLog(
      mindviz.file(`run_${i}`, NAME),
      points('loss', 900, (step) =>
        step === 400 ? NaN : Math.sin(step / (i + 3)) + (step === 700 ? 9 : 0),
      ),
    );
  }
  const pixels = async (): Promise<number[]> => {
    const chart = card(page, 'loss').locator('.line-chart');
    // Busy until what is asked for is on the screen, also while the worker paints it.
    await expect(chart).toHaveAttribute('aria-busy', 'false');
    expect(
      await chart.evaluate((element) => {
        const { lines, painted } = element as unknown as { lines: unknown; painted?: unknown };
        return painted === lines;
      }),
    ).toBe(true);
    return page.locator('.line-chart .plot-lines').evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      return [
        ...(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []),
      ];
    });
  };
  await page.addInitScript(() => {
    const usual = CanvasRenderingContext2D.prototype.drawImage as (...all: unknown[]) => void;
    CanvasRenderingContext2D.prototype.drawImage = function (...all: unknown[]) {
      sessionStorage.setItem('put', '1');
      usual.apply(this, all);
    };
  });
  const isPut = (): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('put'));
  const asked = page.waitForRequest(/bitmap_worker/);
  await page.goto(`${mindviz.url}#/scalar?smooth=0.5`);
  await asked;
  await plotOf(card(page, 'loss'));
  // Charts that are there before the worker is ready paint themselves: this one comes later.
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByRole('link', { name: 'Scalars' }).click();
  await plotOf(card(page, 'loss'));
  const byWorker = await pixels();
  expect(await isPut()).toBe('1');

  await page.evaluate(() => {
    sessionStorage.clear();
  });
  await page.route(/bitmap_worker/, (route) => route.abort());
  await page.reload();
  await plotOf(card(page, 'loss'));
  const byPage = await pixels();
  expect(await isPut()).toBeNull();
  expect(byWorker).toHaveLength(byPage.length);
  // Bitmaps are rounded once more, to premultiplied alpha.
  expect(byPage.filter((value, i) => Math.abs(value - (byWorker[i] ?? NaN)) > 6)).toEqual([]);
});

test('constants, smoothed too, and values of any size have a y axis with labels', async ({
  page,
  mindviz,
}) => {
  const tags = { constant: () => 0.1, zeros: () => 0, diverged: (step: number) => step * 1e36 };
  writeLog(
    mindviz.file('a', NAME),
    Object.entries(tags).flatMap(([tag, value]) => points(tag, 60, value)),
  );
  await page.goto(`${mindviz.url}#/scalar?smooth=0.9`);
  for (const tag of Object.keys(tags)) {
    const inked = (): Promise<number> =>
      card(page, tag)
        .locator('.line-chart canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const left = canvas.getContext('2d')?.getImageData(0, 0, 40, canvas.height).data ?? [];
          return left.filter((alpha, i) => i % 4 === 3 && alpha > 0).length;
        });
    await expect.poll(inked, tag).toBeGreaterThan(50);
  }
});

test('points that do not count are drawn faintly, and listed at a click', async ({
  mindviz,
  page,
}) => {
  for (const job of ['hparams', 'two_at_once'])
    cpSync(join(ROOT, 'tests/golden/restarts/torch', job), mindviz.file(job), { recursive: true });
  await page.goto(`${mindviz.url}#/scalar`);
  const chart = card(page, 'val/acc');
  // The line of each run; the value of add_hparams, and what the other writer wrote.
  await expect(chart).toContainText('40 points');
  await expect(chart).not.toContainText('all');
  const aside = chart.getByRole('button', { name: '+ 21 set aside' });
  await expect(aside).toHaveAttribute('title', /1 stray value .* 20 points by other writers/);
  const picture = await saved(page, 'val/acc', 'SVG');
  expect(picture.match(/<path[^>]*opacity="0.45"/g)).toHaveLength(2);
  await aside.click();
  await expect(chart.locator('tbody tr', { hasText: 'stray value' })).toHaveText(
    /hparams.*0.*0\.5/,
  );
  await aside.click();
  await expect(chart.locator('.line-chart')).toBeVisible();
});
