import { appendFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { expectAccessible, writeKinds, writeText } from './kinds';
import { card, expect, expectPoints, Mindviz, row, test } from './mindviz';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('columns of scalars, states of groups and steps of cards are translated', async ({
    page,
    mindviz,
  }) => {
    writeLog(mindviz.file('run', NAME), points('loss', 8));
    await page.goto(`${mindviz.url}#/runs`);
    await expect(page.getByRole('columnheader', { name: /^loss 最小值/ })).toBeVisible();
    await page.goto(`${mindviz.url}#/runs?by=state`);
    await expect(page.locator('.group .fold b')).toHaveText(/^(运行中|无更新|已结束)$/);
    writeText(mindviz.file('words'));
    await page.goto(`${mindviz.url}#/text?runs=words`);
    await expect(card(page, 'notes').locator('footer')).toContainText(/第 \d+ 步/);
  });
});

test('theme and language can be switched and are remembered', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(background).not.toBe(light);
  const language = page.getByRole('button', { name: 'Switch to Chinese (中文)' });
  // A letter would be an empty box where no font has it.
  await expect(language.locator('svg')).toBeVisible();
  await expect(language).toHaveText('');
  await language.click();
  await expect(page.locator('.rail a[href*="#/scalar"]')).toHaveText('图表');
  await page.reload();
  await expect(page.locator('.rail a[href*="#/scalar"]')).toHaveText('图表');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect.poll(background).not.toBe(light);
  // The selected light theme overrides the system's; following the system comes last.
  await page.getByRole('button', { name: '浅色主题' }).click();
  await expect.poll(background).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Pages that follow the system learn of the change before the next frame.
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );
  expect(await background()).toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: '跟随系统' }).click();
  await page.reload();
  expect(await background()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
});

test('the command field finds runs, tags, pages and actions', async ({ page, mindviz }) => {
  writeLog(mindviz.file('alpha', NAME), [...points('loss', 8), ...points('acc', 8)]);
  writeLog(mindviz.file('beta', NAME), points('loss', 8));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('acc');
  await page.keyboard.press('Enter');
  await expect(card(page, 'loss')).toHaveCount(0);
  await expect(page.locator('input[name=tags]')).toHaveValue('^acc$');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('runs');
  await page.keyboard.press('Enter');
  await expect(page.locator('.run')).toHaveCount(2);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('beta');
  await page.keyboard.press('Enter');
  // Opening a run does not select it alone.
  await expect(page).toHaveURL(/job=.*beta$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test("the command field finds tags of every plugin and keeps the rest of the page's state", async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('numbers', NAME), points('loss', 8));
  writeText(mindviz.file('words'));
  await page.goto(`${mindviz.url}#/text?show=source&tags=nowhere`);
  await expect(page.locator('input[name=tags]')).toHaveValue('nowhere');
  await page.locator('.rail a[href*="#/runs"]').click();
  await page.locator('.run').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('notes');
  const option = page.getByRole('option', { name: 'tag · Text' });
  await expect(option).toBeVisible();
  await expectAccessible(page);
  await option.click();
  await expect(page).toHaveURL(/#\/text\?/);
  await expect(page.locator('input[name=tags]')).toHaveValue('^notes$');
  await expect(page.locator('article[aria-label$=" · words"]')).toBeVisible();
  expect(new URLSearchParams(page.url().split('?')[1]).get('show')).toBe('source');
});

test('a badge counts the issues of all runs and leads to the health page', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  appendFileSync(mindviz.file('run', NAME), Buffer.alloc(40, 0xff));
  await page.goto(`${mindviz.url}#/scalar?runs=`);
  await page.getByRole('banner').getByRole('link', { name: '1 issue' }).click();
  await expect(page.locator('main article')).toHaveCount(1);
});

test('the badge of a run opens the problems in its log', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  appendFileSync(mindviz.file('run', NAME), Buffer.alloc(40, 0xff));
  await page.goto(`${mindviz.url}#/scalar`);
  await page.locator('.job .badge').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'run' });
  await expect(dialog).toContainText(`run/${NAME}`);
  await expect(dialog).toContainText('at byte');
  await expectAccessible(page);
  await dialog.getByRole('link').click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('main article')).toHaveCount(1);
});

test('a dialog focuses itself or its first field, never its close button', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  await page.goto(`${mindviz.url}#/runs`);
  await page.locator('.run').waitFor();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
});

test('settings close when the page changes', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto(`${mindviz.url}#/audio`);
  await expect(heading).toHaveText('Audio');
  await page.goto(`${mindviz.url}#/histogram`);
  await expect(heading).toHaveText('Histograms');
  const settings = page.locator('.settings:popover-open');
  await page.getByRole('button', { name: 'If a run has no value at this step, show' }).click();
  await expect(settings).toBeVisible();
  // The page stays until the next one is loaded.
  let load = (): void => undefined;
  const held = new Promise<void>((done) => (load = done));
  await page.route(/ImagePage/, async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => (location.hash = '#/image'));
  await expect(settings).toHaveCount(0);
  await expect(heading).toHaveText('Histograms');
  load();
  await expect(heading).toHaveText('Images');
});

test('the filter leaves the box that selects all uncovered, and focus moves on from it', async ({
  page,
  mindviz,
}) => {
  for (const run of ['a', 'b']) writeLog(mindviz.file(run, NAME), points('loss', 3));
  for (const name of ['scalar', 'runs']) {
    await page.goto('about:blank');
    await page.goto(`${mindviz.url}#/${name}`);
    await page.locator('.run, .job').nth(1).waitFor();
    await page.locator('input[name=runs]').click();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('.offer')).toBeVisible();
    const all = page
      .locator(name === 'runs' ? '[role=columnheader] input' : 'input[name=all]')
      .first();
    expect(
      await all.evaluate((box) => {
        const { x, y } = box.getBoundingClientRect();
        return document.elementFromPoint(x + 5, y + 5) === box;
      }),
      name,
    ).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('input[name=runs]').press('l');
    await page.keyboard.press('Tab');
    await expect(page.locator('.offer')).toHaveCount(0);
    expect(await page.evaluate(() => document.activeElement?.tagName), name).not.toBe('BODY');
  }
});

test('the page says that it looks for runs while their list is late', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  let answer = (): void => undefined;
  const held = new Promise<void>((done) => (answer = done));
  await page.route(/train-job/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(page.getByText('Scanning for runs…')).toBeVisible();
  const live = page.locator('.live');
  await expect(live).toHaveText('Loading…');
  answer();
  await expect(card(page, 'loss')).toBeVisible();
  await expect(page.getByText('Scanning for runs…')).toHaveCount(0);
  await expect(live).toHaveText(/^Live/);
});

test('the command palette shows long names whole, with the match marked', async ({
  page,
  mindviz,
}) => {
  const long = `${'resnet50_imagenet_pretrained_'.repeat(3)}final`;
  writeLog(mindviz.file(long, NAME), points('loss', 3));
  await page.goto(`${mindviz.url}#/runs`);
  await page.locator('.run').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('final');
  const option = page.getByRole('option').first();
  await expect(option.locator('b')).toHaveText('final');
  const [inner, outer] = await Promise.all([
    option.locator('b').boundingBox(),
    option.boundingBox(),
  ]);
  expect((inner?.x ?? 0) + (inner?.width ?? Infinity)).toBeLessThanOrEqual(
    (outer?.x ?? 0) + (outer?.width ?? 0),
  );
  // On a phone, over the whole bar.
  await page.setViewportSize({ width: 360, height: 740 });
  const list = await page.getByRole('listbox').boundingBox();
  expect(list?.x).toBeGreaterThanOrEqual(0);
  expect(list?.width).toBeGreaterThan(300);
});

test('the about box shows version, scanner and location', async ({ page, mindviz }) => {
  await page.goto(`${mindviz.url}#/scalar`);
  await page.getByRole('button', { name: 'About mindviz' }).click();
  await expect(page.locator('dt:text-is("Version") + dd')).toHaveText(/^\d+\.\d+/);
  await expect(page.locator('dt:text-is("Log reader") + dd')).toHaveText(/native|Python/);
  await expect(page.locator('dt:text-is("Log directory") + dd')).toHaveText(mindviz.logs);
});

test.describe('places and tabs', () => {
  const rail = (page: Page) => page.locator('.rail a');
  const tabs = (page: Page) => page.locator('.tabs li a');

  test('are hidden if no run has data for them, and dimmed if the selected ones lack it', async ({
    page,
    mindviz,
  }) => {
    writeLog(mindviz.file('numbers', NAME), points('loss', 3));
    await page.goto(`${mindviz.url}#/scalar`);
    await card(page, 'loss').waitFor();
    await expect(rail(page)).toHaveText(['Runs', 'Charts', 'Health']);
    await expect(rail(page).filter({ hasText: 'Charts' })).toHaveAttribute('aria-current', 'page');
    await expect(tabs(page)).toHaveText(['Scalars']);
    await expect(page).toHaveTitle(/^Scalars · /);
    // New data shows its place at once.
    writeText(mindviz.file('words'));
    await expect(rail(page)).toHaveText(['Runs', 'Charts', 'Media', 'Health']);
    await row(page, 'words').locator('input').uncheck();
    const media = rail(page).filter({ hasText: 'Media' });
    await expect(media).toHaveClass(/faded/);
    await expect(media).toHaveAccessibleName('Media: no data in the selected runs');
    // A link to a page without data shows it with its tab.
    await page.goto(`${mindviz.url}#/audio`);
    await expect(tabs(page)).toHaveText(['All', 'Audio', 'Text']);
    await expect(page.locator('.empty')).toContainText('No audio in this log directory.');
  });

  test('are reached by keyboard; a place leads to its last tab, after a reload, too', async ({
    page,
    mindviz,
  }) => {
    writeKinds(mindviz.logs);
    await page.goto(`${mindviz.url}#/image`);
    await tabs(page).filter({ hasText: 'Images' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/audio$/);
    await expect(tabs(page).filter({ hasText: 'Audio' })).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('.tabs [aria-current]')).toHaveCount(1);
    await rail(page).filter({ hasText: 'Health' }).click();
    await expect(page).toHaveURL(/#\/health$/);
    await expect(tabs(page)).toHaveCount(0);
    await page.reload();
    await rail(page).filter({ hasText: 'Media' }).click();
    await expect(page).toHaveURL(/#\/audio$/);
  });

  test('are in the command palette', async ({ page, mindviz }) => {
    writeKinds(mindviz.logs);
    await page.goto(`${mindviz.url}#/runs`);
    await page.locator('.run').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('histograms');
    await expect(page.getByRole('option').first()).toHaveText(/Histograms\s*page · Distributions/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('distributions');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/histogram$/);
  });

  test('an empty page selects the runs that have its data, which can be undone', async ({
    page,
    mindviz,
  }) => {
    writeLog(mindviz.file('numbers', NAME), points('loss', 3));
    writeLog(mindviz.file('more', NAME), points('loss', 3));
    writeText(mindviz.file('words'));
    await page.goto(`${mindviz.url}#/text?runs=numbers~more`);
    const note = page.locator('.empty');
    await expect(note).toContainText('None of the 2 selected runs has text. 1 other does.');
    await note.getByRole('button', { name: 'Select it' }).click();
    await expect(card(page, 'notes')).toBeVisible();
    await expect(page).toHaveURL(/runs=words/);
    await page.keyboard.press('Control+z');
    await expect(note).toContainText('None of the 2 selected runs');
  });
});

test('works below a path prefix', async ({ page }) => {
  const mindviz = await Mindviz.start({ arguments: ['--url-path-prefix', '/some/where'] });
  try {
    writeLog(mindviz.file('run', NAME), points('loss', 3));
    await page.goto(new URL('/some/where/', mindviz.url).href);
    // The home page is the table of runs.
    await expect(page).toHaveURL(/#\/runs$/);
    await expect(page.locator('.run')).toContainText('run');
    await page.locator('.rail a[href*="#/scalar"]').click();
    await expectPoints(card(page, 'loss'), 3);
  } finally {
    await page.goto('about:blank');
    await mindviz.stop();
  }
});

test('on a narrow screen the panel is a sheet and cards fill the width', async ({
  page,
  mindviz,
}) => {
  await page.setViewportSize({ width: 400, height: 800 });
  writeLog(mindviz.file('run', NAME), [...points('acc', 3), ...points('loss', 3)]);
  await page.goto(`${mindviz.url}#/scalar`);
  for (const tag of ['acc', 'loss']) await expectPoints(card(page, tag), 3);
  const [first, second] = await Promise.all(
    ['acc', 'loss'].map((tag) => card(page, tag).boundingBox()),
  );
  expect(first?.x).toBeGreaterThanOrEqual(0);
  expect(second).toMatchObject({ x: first?.x, width: first?.width });
  expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  await expect(page.locator('.live')).toHaveAccessibleName(/^Live/);
  await page.getByRole('button', { name: '1 of 1 selected' }).click();
  await row(page, 'run').locator('input').uncheck();
  await page.keyboard.press('Escape');
  await expect(page.locator('.card')).toHaveCount(0);
});
