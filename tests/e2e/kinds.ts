/** What the tests of pages share that show one kind of data each. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, type Page } from '@playwright/test';

const ROOT = resolve(__dirname, '../..');

function written(by: string, directory: string): void {
  const own = join(ROOT, '.venv/bin/python');
  const python = process.env['MINDVIZ_PYTHON'] ?? (existsSync(own) ? own : 'python3');
  execFileSync(python, ['-m', `tests.e2e.${by}`, directory], { cwd: ROOT });
}

/** Two jobs with every kind of data; `written_kinds.py` says what they hold. */
export function writeKinds(directory: string): void {
  written('written_kinds', directory);
}

/** Two jobs whose logs lay out charts; see `written_layout.py`. */
export function writeLayout(directory: string): void {
  written('written_layout', directory);
}

/** That nothing on the page is in the way of people who use it by keyboard or screen reader. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated, not inserted: the page's security policy lets no foreign script element in.
  await page.evaluate(readFileSync(join(ROOT, 'ui/node_modules/axe-core/axe.min.js'), 'utf8'));
  const violations = await page.evaluate(async () => {
    interface Axe { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> }
    const { violations: found } = await (window as unknown as { axe: Axe }).axe.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join('\n')}`);
  });
  expect(violations).toEqual([]);
}
