import type { Page } from '@playwright/test';

import { expect, test, writeSweep } from './mindviz';

const column = (page: Page, id: string) => page.locator(`[data-column="${id}"]`);

test('menu buttons cover no column titles', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 4);
  await page.goto(`${mindviz.url}#/runs?cols=name~metric/accuracy~size~formats`);
  await expect(column(page, 'metric/accuracy')).toBeVisible();
  const overlap = async (id: string): Promise<number> => {
    await column(page, id).hover();
    return column(page, id).evaluate((element) => {
      const button = element.querySelector('.more')?.getBoundingClientRect() ?? new DOMRect();
      const title = new Range();
      title.selectNodeContents(element.querySelector('.title .ellipsis') ?? element);
      const { left, right } = title.getBoundingClientRect();
      return Math.min(right, button.right) - Math.max(left, button.left);
    });
  };
  for (const id of ['metric/accuracy', 'size', 'formats'])
    expect(await overlap(id), id).toBeLessThanOrEqual(0);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true });
  test('menu buttons do not cover column titles', async ({ page, mindviz }) => {
    writeSweep(mindviz.logs, 3);
    await page.goto(`${mindviz.url}#/runs`);
    await expect(column(page, 'metric/accuracy')).toBeVisible();
    await expect(column(page, 'name').locator('.more')).toHaveCSS('opacity', '1');
    const covered = await page.locator('[data-column]').evaluateAll((heads) =>
      heads
        .filter((one) => {
          const [title, more] = ['.title', '.more'].map((part) =>
            one.querySelector(part)?.getBoundingClientRect(),
          );
          return !title || !more || (title.right > more.left && title.left < more.right);
        })
        .map((one) => one.getAttribute('data-column')),
    );
    expect(covered).toEqual([]);
  });
});
