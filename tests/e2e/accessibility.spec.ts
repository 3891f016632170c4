import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test, writeSweep } from './mindviz';

const AXE = readFileSync(resolve(__dirname, '../../ui/node_modules/axe-core/axe.min.js'), 'utf8');
const PAGES = ['runs', 'dashboard', 'scalar', 'compare', 'lineage', 'graph', 'health', 'landscape'];

// Axe is put into the page, which the page's own policy forbids.
test.use({ bypassCSP: true });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('no page breaks a rule of WCAG 2.2 AA that a machine can check', async ({ page, mindviz }) => {
      test.setTimeout(90_000);
      writeSweep(mindviz.logs, 6);
      for (const name of PAGES) {
        await page.goto(`${mindviz.url}#/${name}`);
        await expect(page.locator('.page')).toBeVisible();
        await expect(page.getByText('Loading …')).toHaveCount(0);
        await page.evaluate(AXE);
        const violations = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as { axe: { run: (root: Document, options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
          const found = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
          return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
        });
        expect(violations, name).toEqual([]);
      }
    });
  });
}
