import type { Page } from '@playwright/test';

import { inOpenPage, test } from './everything';
import { expectAccessible } from './kinds';
import { expect } from './mindviz';
import { PAGES, titleOf, urlOf } from './pages';

for (const shown of PAGES) {
  inOpenPage(
    `${titleOf(shown)} shows its data accessibly, light and dark, wide and narrow`,
    async ({ page, everything }) => {
      const data = async (): Promise<void> => {
        for (const one of shown.seen(page)) {
          await one.scrollIntoViewIfNeeded();
          await expect(one).toBeVisible();
        }
        await expect(page.getByText('Loading…')).toHaveCount(0);
      };
      await page.goto('about:blank');
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(everything.url + urlOf(shown));
      await data();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await data();
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await data();
      await expectAccessible(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await data();
      await expectAccessible(page);
      const { pictures, untold } = await page.evaluate(wordsOfPictures);
      expect(untold).toEqual([]);
      if (pictures > 0 && (await openTable(page))) await expectAccessible(page);
    },
  );
}

inOpenPage('all tabs of distributions fit into 360 px', async ({ page, everything }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${everything.url}#/histogram`);
  const tabs = page.locator('.tabs ul');
  await expect(tabs.getByRole('link')).toHaveCount(3);
  expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
});

/** The number of pictures on the page, and those without a text alternative. */
function wordsOfPictures(): { pictures: number; untold: string[] } {
  const pictures = [
    ...document.querySelectorAll('main :is(canvas, .line-chart, .histogram-chart, svg.picture)'),
  ].filter((one) => one.getClientRects().length > 0);
  const told = (one: Element): boolean =>
    /\w+ \S+/.test(
      one.closest('[role=img][aria-label], [role=group][aria-label]')?.getAttribute('aria-label') ??
        '',
    );
  return {
    pictures: pictures.length,
    untold: pictures.filter((one) => !told(one)).map((one) => one.outerHTML.slice(0, 200)),
  };
}

/** Switches from a picture to its table; false if a table is visible already. */
async function openTable(page: Page): Promise<boolean> {
  const main = page.locator('main');
  const table = main.getByRole('table').first();
  if (await table.isVisible()) return false;
  const button = main
    .getByRole('button', { name: /^Table/ })
    .or(main.getByRole('radio', { name: /^Table/ }))
    .first();
  if (await button.isVisible()) {
    await button.click();
  } else {
    await main
      .getByRole('button', { name: /^Chart menu/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'View as table' }).click();
  }
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  return true;
}

/** Controls of the page that are cut off, and names of missing messages. */
function faults(names: readonly string[]): { width: number; beyond: string[]; unsaid: string[] } {
  const controls = [
    ...document.querySelectorAll('.toolbar :is(button, input, select, output, .badge)'),
  ];
  const places = controls.map((one) => ({
    one: one.outerHTML.slice(0, 120),
    ...(one.getBoundingClientRect().toJSON() as DOMRect),
  }));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unsaid: string[] = [];
  const message = new RegExp(`^(${names.join('|')})(\\.[A-Za-z_]+)+$`);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    if (message.test(text)) unsaid.push(text);
  }
  return {
    width: document.documentElement.scrollWidth,
    beyond: places
      .filter(({ left, right }) => left < 0 || right > innerWidth)
      .map(({ one, left, right }) => `${one}: ${left} to ${right}`),
    unsaid,
  };
}

/** What of the page cannot be printed. */
function unprintable(): { cut: string[]; unpainted: string[]; broken: number; width: number } {
  const shown = [...document.querySelectorAll<HTMLElement>('main *')].filter(
    (one) => one.getClientRects().length > 0 && !one.closest('svg, .hidden-visually, .icon'),
  );
  const name = (one: Element): string => one.outerHTML.slice(0, 160);
  const scrolls = (one: HTMLElement): boolean => {
    const { overflowX, overflowY } = getComputedStyle(one);
    return /auto|scroll/.test(overflowX + overflowY);
  };
  const blank = (one: HTMLCanvasElement): boolean => {
    if (one.width === 0 || one.height === 0) return true;
    // Reading a canvas twice makes the browser log a warning.
    const copy = new OffscreenCanvas(one.width, one.height).getContext('2d', {
      willReadFrequently: true,
    });
    copy?.drawImage(one, 0, 0);
    const { data } = copy?.getImageData(0, 0, one.width, one.height) ?? {};
    return data !== undefined && data.every((value) => value === 0);
  };
  return {
    cut: shown.filter(scrolls).map(name),
    unpainted: [...document.querySelectorAll<HTMLCanvasElement>('main canvas')]
      .filter((one) => one.getClientRects().length > 0 && !one.matches('.plot-overlay'))
      .filter((one) => blank(one))
      .map(name),
    broken: shown.filter(
      (one) =>
        one.matches('.rows > :not(.area), .area > *') &&
        getComputedStyle(one).breakInside !== 'avoid',
    ).length,
    width: document.documentElement.scrollWidth,
  };
}

test('every page prints whole, without controls, in light colors', async ({ page, everything }) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const shown of PAGES) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(everything.url + urlOf(shown));
    for (const one of shown.seen(page)) await expect(one, titleOf(shown)).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    const head = page.locator('.print-head');
    await expect(head, titleOf(shown)).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);
    await expect(head).toContainText('logs');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    for (const control of ['.rail', '[role=toolbar]', '.tabs', '.shell > .panel'])
      await expect(page.locator(control).first(), titleOf(shown)).toBeHidden();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect
      .poll(() => page.evaluate(unprintable), titleOf(shown))
      .toEqual({ cut: [], unpainted: [], broken: 0, width: 1440 });
  }
});

test('a table of many columns prints on landscape paper', async ({ page, everything }) => {
  const root = page.locator('html');
  const many =
    'name~state~updated~created~formats~tags~points~size~problems~remark~notes~group~mark~pinned';
  for (const [columns, wide] of [
    [many, true],
    ['name~state', false],
  ] as const) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${everything.url}#/runs?cols=${columns}`);
    await expect(page.getByRole('columnheader')).toHaveCount(columns.split('~').length + 1);
    await page.emulateMedia({ media: 'print' });
    await expect(root).toHaveClass(/printing/);
    await expect
      .poll(() => root.evaluate((one) => one.classList.contains('wide-paper')))
      .toBe(wide);
  }
  await page.emulateMedia({ media: 'screen' });
  await expect(root).not.toHaveClass(/printing/);
});

test('charts beyond the viewport print at paper width, and the screen comes back', async ({
  page,
  everything,
}) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto(`${everything.url}#/scalar?smooth=0.6&log=y`);
  const charts = page.locator('.line-chart');
  await expect(charts.first()).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  const before = { charts: await charts.count(), box: await charts.first().boundingBox() };
  const settings = page.locator('.printed-settings');
  await expect(settings).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(settings).toHaveText('Smoothing: EMA 0.6 · Log y');
  await expect.poll(() => charts.count()).toBeGreaterThan(before.charts);
  await expect(page.locator('.print-head li').first()).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  const widths = await charts.evaluateAll((all) =>
    all.map((one) => [one.clientWidth, one.querySelector('canvas')?.clientWidth]),
  );
  expect(new Set(widths.flat())).toEqual(new Set([424]));
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('.rail')).toBeVisible();
  await expect.poll(() => charts.first().boundingBox()).toEqual(before.box);
  await expect.poll(() => charts.count()).toBe(before.charts);
  const canvas = charts.first().locator('canvas').first();
  await expect
    .poll(() => canvas.evaluate((one) => one.clientWidth))
    .toBe(Math.round(before.box?.width ?? 0));
  // The shortcut prints once all charts are drawn.
  await page.evaluate(() => {
    window.print = () => {
      const drawn = document.querySelectorAll('.printing .line-chart[aria-busy=false]');
      const { dataset } = document.body;
      dataset['printed'] = `${dataset['printed'] ?? ''} ${drawn.length}`;
    };
  });
  // Pressed twice, it prints once.
  for (const printed of [` ${widths.length}`, ` ${widths.length} ${widths.length}`]) {
    await page.keyboard.press('Control+p');
    await page.keyboard.press('Control+p');
    await expect(page.locator('body')).toHaveAttribute('data-printed', printed);
    await expect(page.locator('.rail')).toBeVisible();
  }
});

/** Names and tooltips with an ASCII colon after Chinese words. */
const asciiColons = (): string[] =>
  [...document.querySelectorAll('[aria-label], [title]')]
    .flatMap((element) => [element.getAttribute('aria-label'), element.getAttribute('title')])
    .filter((text) => text !== null)
    .filter((text) => /\p{Script=Han}:/u.test(text));

test.describe('360 px wide, in Chinese,', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' });

  test('every page fits and is fully translated', async ({ page, everything }) => {
    test.setTimeout(120_000);
    const names = [
      ...PAGES.map(({ name }) => name),
      'app',
      'card',
      'step',
      'filter',
      'state',
      'panel',
      'findings',
      'about',
    ];
    for (const shown of PAGES) {
      await page.goto(everything.url + urlOf(shown));
      for (const one of shown.seen(page)) {
        await one.scrollIntoViewIfNeeded();
        await expect(one, titleOf(shown)).toBeVisible();
      }
      expect
        .soft(await page.evaluate(faults, names), titleOf(shown))
        .toEqual({ width: 360, beyond: [], unsaid: [] });
      expect.soft(await page.evaluate(asciiColons), titleOf(shown)).toEqual([]);
      await expect(page.locator('h1').first()).toHaveText(/\p{Script=Han}/u);
      const places = page.locator('.rail a');
      await expect(places).toHaveCount(7);
      for (const place of await places.all()) await expect(place).toBeInViewport({ ratio: 1 });
    }
    // Messages of the server about damaged records are translated, too.
    await page.goto(`${everything.url}#/health`);
    await expect(page.locator('main article', { hasText: '记录的长度已损坏' })).toHaveCount(1);
  });
});

test.describe('1280 px wide, in Chinese,', () => {
  test.use({ viewport: { width: 1280, height: 800 }, locale: 'zh-CN' });

  test('the toolbar of charts has one line', async ({ page, everything }) => {
    await page.goto(`${everything.url}#/scalar`);
    const tops = page.locator('main .toolbar > :is(.search, .with-icon)');
    await expect(tops).toHaveCount(2);
    const [first, last] = await tops.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().bottom),
    );
    expect(last).toBe(first);
  });
});

test.describe('zoomed to 200 %', () => {
  test.use({ viewport: { width: 640, height: 400 } });

  test('toolbars leave most of the height to the data', async ({ page, everything }) => {
    for (const name of ['runs', 'scalar', 'histogram', 'image', 'sweep', 'graph', 'health']) {
      await page.goto('about:blank');
      await page.goto(`${everything.url}#/${name}`);
      const toolbar = page.locator('main .toolbar').first();
      await expect(toolbar).toBeVisible();
      const { y, height } = (await toolbar.boundingBox()) ?? { y: NaN, height: NaN };
      expect(y + height, name).toBeLessThan(0.32 * 400);
      await expect(page.locator('.rail a').last(), name).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(640);
    }
  });
});
