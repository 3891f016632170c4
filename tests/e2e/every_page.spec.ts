import { test } from './everything';
import { expectAccessible } from './kinds';
import { expect } from './mindviz';
import { PAGES, titleOf, urlOf } from './pages';

for (const shown of PAGES) {
  test(`${titleOf(shown)} shows its data to everybody, light and dark`, async ({ page, everything }) => {
    await page.goto(everything.url + urlOf(shown));
    for (const one of shown.seen(page)) await expect(one).toBeVisible();
    await expect(page.getByText('Loading …')).toHaveCount(0);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    for (const one of shown.seen(page)) await expect(one).toBeVisible();
    await expectAccessible(page);
  });
}

/** What of a page's controls is cut off, and the names of messages that nobody wrote. */
function faults(names: readonly string[]): { width: number; beyond: string[]; unsaid: string[] } {
  const controls = [...document.querySelectorAll('.toolbar :is(button, input, select, output, .badge)')];
  const places = controls.map((one) => ({ one: one.outerHTML.slice(0, 120), ...one.getBoundingClientRect().toJSON() as DOMRect }));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unsaid: string[] = [];
  const message = new RegExp(`^(${names.join('|')})(\\.[A-Za-z_]+)+$`);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    if (message.test(text)) unsaid.push(text);
  }
  return {
    width: document.documentElement.scrollWidth,
    beyond: places.filter(({ left, right }) => left < 0 || right > innerWidth).map(({ one, left, right }) => `${one}: ${left} to ${right}`),
    unsaid,
  };
}

test.describe('360 px wide, in Chinese,', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' });

  test('every page fits, and nothing on it is left untranslated', async ({ page, everything }) => {
    test.setTimeout(120_000);
    const names = [...PAGES.map(({ name }) => name), 'app', 'card', 'step', 'filter', 'state', 'panel', 'findings', 'about'];
    for (const shown of PAGES) {
      await page.goto(everything.url + urlOf(shown));
      for (const one of shown.seen(page)) {
        await one.scrollIntoViewIfNeeded();
        await expect(one, titleOf(shown)).toBeVisible();
      }
      expect.soft(await page.evaluate(faults, names), titleOf(shown)).toEqual({ width: 360, beyond: [], unsaid: [] });
      await expect(page.locator('h1').first()).toHaveText(/\p{Script=Han}/u);
    }
  });
});
