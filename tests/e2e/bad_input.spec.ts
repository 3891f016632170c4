import { rmSync } from 'node:fs';

import { writeEverything, writeNames } from './kinds';
import { card, expect, Mindviz, test as base, expectPoints } from './mindviz';
import { NAMES, PAGES, titleOf, urlOf } from './pages';
import { appendLog, points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';
const HTML = "<img src=x onerror='window.ran = 1'>";
const LONG = 'tag_'.repeat(124);

const test = base.extend<object, { named: Mindviz }>({
  named: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      writeNames(mindviz.logs);
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker' },
  ],
});

/** Page -> the part of its card's name after the slash. */
const TAGS: Readonly<Record<string, string>> = {
  scalar: 'loss',
  histogram: 'layer/weight',
  image: 'view/camera',
  tensor: 'layer/kernel',
  text: 'notes',
  audio: 'speech',
  curves: 'detector',
  mesh: 'shape',
  embedding: 'words',
};

for (const width of [1440, 360]) {
  test(`names that are HTML, 500 characters long or Chinese are read as they are, ${width} px wide`, async ({
    page,
    named,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 860 });
    for (const [name, tag] of Object.entries(TAGS)) {
      for (const prefix of [`${HTML}<script>window.ran = 1<`, LONG, '损失']) {
        await page.goto(
          `${named.url}#/${name}?tags=${encodeURIComponent(prefix.startsWith('<') ? 'script' : prefix)}`,
        );
        const shownCard = card(page, `${prefix}/${tag}`).first();
        await expect(shownCard, name).toBeVisible();
        await expect(shownCard.locator('h3')).toContainText(prefix);
        const [place, head] = [
          await shownCard.boundingBox(),
          await shownCard.locator('h3').boundingBox(),
        ];
        expect((head?.x ?? 0) + (head?.width ?? 0), name).toBeLessThanOrEqual(
          (place?.x ?? 0) + (place?.width ?? 0),
        );
        expect((place?.x ?? 0) + (place?.width ?? 0), name).toBeLessThanOrEqual(width);
      }
    }
    for (const name of ['runs', 'compare?view=image', 'health', 'sweep', 'graph']) {
      await page.goto(`${named.url}#/${name}`);
      await expect(page.locator('main > .page-view')).toBeVisible();
      await expect(page.getByText('Loading…')).toHaveCount(0);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), name)
        .toBe(width);
      if (name === 'runs')
        await expect(page.getByText(HTML, { exact: true }).first()).toBeVisible();
    }
    expect(
      await page.evaluate(() => [
        (window as { ran?: number }).ran,
        document.documentElement.scrollWidth,
      ]),
    ).toEqual([undefined, width]);
    expect(await page.locator('main img[src=x]').count()).toBe(0);
    await page.goto('about:blank');
  });
}

base.describe('a run that is deleted', () => {
  base.use({ failing: true });
  base('leaves every page alive, and what is left is shown', async ({ page, mindviz }) => {
    base.setTimeout(120_000);
    writeEverything(mindviz.logs);
    for (const shown of PAGES) {
      await page.goto(mindviz.url + urlOf(shown));
      for (const one of shown.seen(page)) await expect(one, titleOf(shown)).toBeVisible();
    }
    // On any page: the pages above have the runs' data in memory.
    await page.goto(`${mindviz.url}#/image`);
    await expect(page.locator('article[aria-label$=" · kinds/first"]')).toBeVisible();
    rmSync(mindviz.file('kinds', 'first'), { recursive: true });
    rmSync(mindviz.file('graphs'), { recursive: true });
    await expect(page.locator('article[aria-label$=" · kinds/first"]')).toHaveCount(0);
    await expect(page.locator('article[aria-label$=" · kinds/second"] img')).toBeVisible();
    for (const name of NAMES) {
      await page.goto(`${mindviz.url}#/${name}`);
      await expect(
        page.locator('main').locator('article, .run, tr, .empty').filter({ visible: true }).first(),
        name,
      ).toBeVisible();
      await expect(page.getByRole('alert'), name).toHaveCount(0);
      await expect(page.getByText('Loading…'), name).toHaveCount(0);
    }
    await page.goto(`${mindviz.url}#/graph`);
    await expect(page.locator('.empty')).toContainText('No graphs');
    for (const one of ['kinds', 'layout', 'landscapes', 'sweep', 'acme'])
      rmSync(mindviz.file(one), { recursive: true });
    await expect(page.locator('.empty')).toContainText('No runs yet');
  });
});

base.describe('a server that is restarted', () => {
  base.use({ failing: true });
  base(
    'is missed in words, what was drawn stays, and what came meanwhile is drawn',
    async ({ page, mindviz }) => {
      writeLog(mindviz.file('run', NAME), points('loss', 50));
      await page.goto(`${mindviz.url}#/scalar`);
      const shownCard = card(page, 'loss');
      await expectPoints(shownCard, 50);
      await mindviz.halt();
      const alert = page.getByRole('alert');
      await expect(alert).toContainText('Can’t reach the mindviz server');
      await expect(alert).toContainText(`Showing the last data read from ${mindviz.logs}`);
      await page.setViewportSize({ width: 360, height: 740 });
      const [note, opener] = [
        await alert.boundingBox(),
        await page.locator('.opener').boundingBox(),
      ];
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(opener?.y ?? 0);
      await page.setViewportSize({ width: 1280, height: 720 });
      await expectPoints(shownCard, 50);
      await page.locator('.rail a[href*="#/health"]').click();
      await page.locator('.rail a[href*="#/scalar"]').click();
      await expect(shownCard.locator('.line-chart')).toBeVisible();
      appendLog(mindviz.file('run', NAME), points('loss', 10, undefined, 50));
      await mindviz.resume();
      await expectPoints(shownCard, 60);
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});
