/** Helpers for tests of pages that show one kind of data each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { ROOT, runModule } from './server_process';

/** Runs one of the modules here that write logs. */
export function written(by: string, directory: string, ...jobs: readonly string[]): void {
  runModule(`tests.e2e.${by}`, directory, ...jobs);
}

/** Two jobs with every kind of data; see `written_kinds.py`. */
export function writeKinds(directory: string): void {
  written('written_kinds', directory);
}

/** Two jobs whose logs lay out charts; see `written_layout.py`. */
export function writeLayout(directory: string): void {
  written('written_layout', directory);
}

/** A log of an unknown plugin; see `written_invention.py`. */
export function writeInvention(directory: string): void {
  written('written_invention', directory);
}

/** A job with only a text, by default of the tag `notes`; see `written_texts.py`. */
export function writeText(directory: string, ...tag: [string?]): void {
  written('written_texts', directory, ...tag.map(String));
}

/** Jobs and tags with unusual names; see `written_names.py`. */
export function writeNames(directory: string): void {
  written('written_names', directory);
}

/** Jobs with ten thousand items of a kind each; see `written_many.py`. */
export function writeMany(directory: string, kinds: readonly string[]): void {
  written('written_many', directory, ...kinds);
}

/** Ten jobs with data for every page; see `written_everything.py`. */
export function writeEverything(directory: string): void {
  written('written_everything', directory);
}

/** A run with the images `small` (8 x 8) and `large` (1600 x 800); see `written_pixels.py`. */
export function writePixels(directory: string): void {
  written('written_pixels', directory);
}

/** Three jobs of MindSpore's lineage, two of them with the same dataset; see `written_datasets.py`. */
export function writeDatasets(directory: string): void {
  written('written_datasets', directory);
}

/** Checks the page with axe: it works with keyboard and screen reader. */
export async function expectAccessible(page: Page): Promise<void> {
  // Wait for color transitions to end. Animations driven by scrolling never end.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ timeline }) => timeline === document.timeline)
        .map(({ finished }) => finished),
    ),
  );
  // Evaluated, not inserted: the page's security policy blocks foreign script elements.
  await page.evaluate(readFileSync(join(ROOT, 'ui/node_modules/axe-core/axe.min.js'), 'utf8'));
  const violations = await page.evaluate(async () => {
    interface Axe {
      run: () => Promise<{
        violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
      }>;
    }
    const { violations: found } = await (window as unknown as { axe: Axe }).axe.run();
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join('\n')}`,
    );
  });
  expect(violations).toEqual([]);
}
