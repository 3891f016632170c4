import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds } from './kinds';
import { expect, test, writeSweep } from './mindviz';

// WebGL in software: without it the tests of other pages are faster.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const kept = (launchOptions.args ?? []).filter((one) => one !== '--disable-gpu');
    await use({ ...launchOptions, args: [...kept, '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
  },
});

const cardOf = (page: Page, job: string): Locator => page.locator(`[data-tag="shape"][data-card-job="./${job}"]`);

/** How many pixels of a picture are not empty. */
function painted(picture: Locator): Promise<number> {
  return picture.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 0) count++;
    return count;
  });
}

function bytes(picture: Locator): Promise<string> {
  return picture.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
}

test('a browser without WebGL is told so, and has the numbers', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext as (this: HTMLCanvasElement, kind: string, options?: unknown) => RenderingContext | null;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
      return kind.startsWith('webgl') ? null : real.call(this, kind, options);
    } as typeof HTMLCanvasElement.prototype.getContext;
  });
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(cardOf(page, 'first')).toContainText('no WebGL');
  await expect(cardOf(page, 'first')).toContainText('4 points · 4 faces');
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(cardOf(page, 'second').getByRole('row').nth(4)).toHaveText('30020 0 144');
  await expectAccessible(page);
});

test('runs without meshes say so', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(page.locator('[data-empty=page]')).toContainText('no meshes');
});

test('meshes are drawn, and turn together or alone', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/mesh`);
  const [first, second] = [cardOf(page, 'first').locator('canvas'), cardOf(page, 'second').locator('canvas')];
  await expect(first).toHaveAttribute('data-drawn', 'yes');
  await expect(second).toHaveAttribute('data-drawn', 'yes');
  const faces = await painted(first);
  expect(faces).toBeGreaterThan(1000);
  const before = [await bytes(first), await bytes(second)];
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  await expect.poll(() => bytes(second)).not.toBe(before[1]);
  await page.getByRole('button', { name: 'Turn together' }).click();
  const alone = await bytes(second);
  await first.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  expect(await bytes(second)).toBe(alone);
  await page.getByRole('button', { name: 'points' }).click();
  await expect.poll(() => painted(first)).toBeLessThan(faces / 4);
  await expectAccessible(page);
});
