/** Helpers for tests of 3D pictures. */
import type { Locator, Page } from '@playwright/test';

import { test } from './mindviz';

/** Software WebGL for all tests of a file, in small windows: each pixel takes time. */
export function drawInSpace(): void {
  test.use({
    viewport: { width: 900, height: 560 },
    launchOptions: async ({ launchOptions }, use) => {
      const kept = (launchOptions.args ?? []).filter((one) => one !== '--disable-gpu');
      await use({
        ...launchOptions,
        args: [...kept, '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      });
    },
  });
}

/** Disables WebGL. */
export async function withoutWebGl(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext as (
      this: HTMLCanvasElement,
      kind: string,
      options?: unknown,
    ) => RenderingContext | null;
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      options?: unknown,
    ) {
      return kind.startsWith('webgl') ? null : real.call(this, kind, options);
    } as typeof HTMLCanvasElement.prototype.getContext;
  });
}

/** The number of pixels that are not empty, or that have approximately one color. */
export function painted(
  picture: Locator,
  color: readonly [number, number, number] | null = null,
): Promise<number> {
  return picture.evaluate((element, wanted) => {
    const canvas = element as HTMLCanvasElement;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
      willReadFrequently: true,
    });
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      // Faint pixels count, too.
      if ((data[i + 3] ?? 0) < (wanted ? 200 : 1)) continue;
      if (
        wanted === null ||
        wanted.every((value, channel) => Math.abs((data[i + channel] ?? 0) - value) < 12)
      )
        count++;
    }
    return count;
  }, color);
}

export function bytes(picture: Locator): Promise<string> {
  return picture.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
}

/** Position of the first non-empty pixel, in CSS pixels from the upper left corner. */
export function firstPainted(picture: Locator): Promise<{ x: number; y: number }> {
  return picture.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
      willReadFrequently: true,
    });
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    for (let i = 3; i < data.length; i += 4) {
      const at = (i - 3) / 4;
      if ((data[i] ?? 0) > 200)
        return {
          x: (at % canvas.width) / devicePixelRatio,
          y: Math.floor(at / canvas.width) / devicePixelRatio,
        };
    }
    throw new Error('Nothing is drawn.');
  });
}

/** Returns a function that reads all texts drawn by the page's pictures since. */
export async function wordsDrawn(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    const usual = CanvasRenderingContext2D.prototype.fillText as (
      this: CanvasRenderingContext2D,
      text: string,
      ...place: number[]
    ) => void;
    CanvasRenderingContext2D.prototype.fillText = function (text: string, ...place: number[]) {
      drawn.push(text);
      usual.call(this, text, ...place);
    };
  });
  return () => page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);
}
