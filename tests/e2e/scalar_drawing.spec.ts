import { cpSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { card, drawnLines, expect, expectPoints, ROOT, test } from './mindviz';
import { NAME, plotOf, saved } from './scalar_card';
import { points, writeLog } from './tiny_writer';

/** Axis labels, read from the SVG download. */
async function ticks(page: Page, tag: string): Promise<string[]> {
  return [...(await saved(page, tag, 'Download SVG')).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
    ([, label = '']) => label,
  );
}

test('logarithmic axes have matching ticks, clipping hides spikes', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 1_001, (step) => (step === 500 ? 1e6 : 10 ** (step % 4))),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').locator('.line-chart').waitFor();
  expect(await ticks(page, 'loss')).toEqual(expect.arrayContaining(['400k', '1M']));
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'Ignore outliers' }).click();
  await expect.poll(async () => (await ticks(page, 'loss')).includes('1M')).toBe(false);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'Ignore outliers' }).click();
  await page.getByRole('button', { name: 'Log y' }).click();
  await page.getByRole('button', { name: 'Log x' }).click();
  const labels = await ticks(page, 'loss');
  expect(labels).toEqual(expect.arrayContaining(['1', '100', '10k', '1M']));
  expect(labels).toEqual(expect.arrayContaining(['10']));
  expect(labels).not.toContain('200');
});

test('marks show where NaN and infinite values begin', async ({ page, mindviz }) => {
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
    [20, 'NaN at step 20'],
    [60, 'Inf at step 60'],
  ] as const) {
    await page.mouse.move(box.x + (box.width * step) / 100, box.y + box.height - 3);
    await expect(page.locator('.chart-tooltip')).toContainText(`a: ${words}`);
  }
});

test('the worker and the page paint the same lines', async ({ page, mindviz }) => {
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
    // The chart is busy until the requested lines are on the screen, also while the worker paints.
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
  // Charts mounted before the worker is ready paint themselves; this one is mounted later.
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
  // Bitmaps are rounded again, to premultiplied alpha.
  expect(byPage.filter((value, i) => Math.abs(value - (byWorker[i] ?? NaN)) > 6)).toEqual([]);
});

test('constants, smoothed constants and huge values have a labeled y axis', async ({
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
          const copy = new OffscreenCanvas(40, canvas.height).getContext('2d', {
            willReadFrequently: true,
          });
          copy?.drawImage(canvas, 0, 0);
          const left = copy?.getImageData(0, 0, 40, canvas.height).data ?? [];
          return left.filter((alpha, i) => i % 4 === 3 && alpha > 0).length;
        });
    await expect.poll(inked, tag).toBeGreaterThan(50);
  }
});

test('points set aside are drawn faintly and listed on click', async ({ mindviz, page }) => {
  for (const job of ['hparams', 'two_at_once'])
    cpSync(join(ROOT, 'tests/golden/restarts/torch', job), mindviz.file(job), { recursive: true });
  await page.goto(`${mindviz.url}#/scalar`);
  const chart = card(page, 'val/acc');
  // The line of each run; the value of add_hparams, and the points of the other writer.
  await expectPoints(chart, 40);
  const aside = chart.getByRole('button', { name: '+ 21 set aside' });
  await expect(aside).toHaveAttribute(
    'title',
    /1 stray value .* 20 points of other concurrent writers/,
  );
  const picture = await saved(page, 'val/acc', 'Download SVG');
  expect(picture.match(/<path[^>]*opacity="0.45"/g)).toHaveLength(2);
  await aside.click();
  await expect(chart.locator('tbody tr', { hasText: 'stray value' })).toHaveText(
    /hparams.*0.*0\.5/,
  );
  await aside.click();
  await expect(chart.locator('.line-chart')).toBeVisible();
});
