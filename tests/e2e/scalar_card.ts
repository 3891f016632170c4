import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { card } from './mindviz';

export const NAME = 'events.out.tfevents.1700000000.host';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export async function plotOf(chart: Locator): Promise<Box> {
  await chart.locator('.line-chart').waitFor();
  const box = await chart.locator('.u-over').boundingBox();
  if (!box) throw new Error('The chart has no plot.');
  return box;
}

export async function saved(page: Page, tag: string, name: string): Promise<string> {
  await card(page, tag)
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  const download = page.waitForEvent('download');
  await page.locator('.menu:popover-open').getByText(name, { exact: true }).click();
  return readFileSync(await (await download).path(), 'utf8');
}
