import type { Locator } from '@playwright/test';

import { card, drawnLines, expect, expectPoints, row, test } from './mindviz';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test.describe('the run panel', () => {
  test('selects single, matching or no jobs, and keeps their colors', async ({ page, mindviz }) => {
    for (let i = 0; i < 14; i++) writeLog(mindviz.file(`run_${i}`, NAME), points('loss', 5));
    await page.goto(`${mindviz.url}#/scalar`);
    const panel = page.getByRole('complementary', { name: 'Runs' });
    await expect(panel).toContainText('10 of 14 selected');
    const color = (): Promise<string | null> =>
      row(page, 'run_9').locator('.swatch rect').getAttribute('fill');
    const before = await color();
    await panel.locator('input[name=all]').click();
    await expect(panel).toContainText('14 of 14 selected');
    expect(await color()).toBe(before);
    await expect(page).toHaveURL(/runs=\*/);
    await panel.locator('input[name=all]').click();
    await expect(panel).toContainText('0 of 14 selected');
    await expect(page.getByText('Select a run')).toBeVisible();
    await panel.locator('input[name=runs]').fill('run_1$');
    await expect(panel.locator('.job')).toHaveCount(1);
    await panel.locator('.job input').check();
    await expectPoints(card(page, 'loss'), 5);
  });

  test('lists selected runs first, in the order of the table', async ({ page, mindviz }) => {
    for (let i = 0; i < 14; i++) writeLog(mindviz.file(`run_${i}`, NAME), points('loss', 5));
    await page.goto(`${mindviz.url}#/scalar?runs=run_3~run_12&order=-name`);
    const listed = page.locator('.panel .list :is(h2, .job-name)');
    await expect(listed.nth(4)).toHaveText('run_13');
    expect((await listed.allTextContents()).map((text) => text.trim()).slice(0, 4)).toEqual([
      'Selected 2',
      'run_12',
      'run_3',
      'Not selected 12',
    ]);
    await row(page, 'run_13').locator('input').check();
    await page.mouse.move(900, 600);
    await expect(listed.nth(1)).toHaveText('run_13');
    // A filter hides others, not what is selected.
    await page.locator('.panel input[name=runs]').fill('run_4');
    await expect(listed).toHaveText(
      ['Selected 3', 'run_13', 'run_12', 'run_3', 'Not selected 1', 'run_4'].map(
        (text) => new RegExp(`^\\s*${text}\\s*$`),
      ),
    );
  });

  test('rows stay under the pointer until it leaves, and Shift takes a range', async ({
    page,
    mindviz,
  }) => {
    for (let i = 0; i < 8; i++) writeLog(mindviz.file(`run_${i}`, NAME), points('loss', 5));
    await page.goto(`${mindviz.url}#/scalar?runs=*&order=name`);
    const panel = page.locator('.panel');
    const listed = panel.locator('.list :is(h2, .job-name)');
    const names = async (): Promise<string[]> =>
      (await listed.allTextContents()).map((text) => text.trim());
    await expect(panel).toContainText('8 of 8 selected');
    // A second click at the same place is for the same run.
    const box = await row(page, 'run_1').locator('input').boundingBox();
    const click = (below = 0): Promise<void> =>
      page.mouse.click((box?.x ?? 0) + 8, (box?.y ?? 0) + 8 + below * 28);
    await click();
    await expect(panel).toContainText('7 of 8 selected');
    const before = ['run_0', 'run_1', 'run_2', 'run_3', 'run_4', 'run_5', 'run_6', 'run_7'];
    expect(await names()).toEqual(['Selected 7', ...before]);
    await expect(row(page, 'run_1').locator('input')).not.toBeChecked();
    await click();
    await expect(panel).toContainText('8 of 8 selected');
    await click();
    await page.keyboard.down('Shift');
    await click(4);
    await page.keyboard.up('Shift');
    await expect(panel).toContainText('3 of 8 selected');
    expect(await names()).toEqual(['Selected 3', ...before]);
    // A click on the name is the same, and selects no text.
    await row(page, 'run_3')
      .locator('.job-name')
      .click({ modifiers: ['Shift'] });
    await expect(panel).toContainText('6 of 8 selected');
    expect(await page.evaluate(() => String(getSelection()))).toBe('');
    await page.mouse.move(900, 600);
    await expect
      .poll(names)
      .toEqual([
        'Selected 6',
        ...before.filter((name) => !['run_1', 'run_2'].includes(name)),
        'Not selected 2',
        'run_1',
        'run_2',
      ]);
    await page.keyboard.press('Control+z');
    await expect(panel).toContainText('3 of 8 selected');
  });

  test('the eye hides runs from charts, and undo or one click shows them again', async ({
    page,
    mindviz,
  }) => {
    for (const run of ['a', 'b', 'c', 'd']) writeLog(mindviz.file(run, NAME), points('loss', 50));
    await page.goto(`${mindviz.url}#/scalar`);
    const drawn = async (): Promise<string[]> =>
      (await drawnLines(page, 'loss')).map(({ id }) => id);
    await expect.poll(drawn).toEqual(['./a', './b', './c', './d']);
    const eye = async (run: string, ...modifiers: 'Shift'[]): Promise<void> => {
      await row(page, run).hover();
      await page.getByRole('button', { name: `Hide from charts: ${run}` }).click({ modifiers });
    };
    for (const run of ['a', 'b', 'c']) await eye(run);
    await expect.poll(drawn).toEqual(['./d']);
    await page.getByRole('button', { name: '3 hidden: show' }).click();
    await eye('b');
    await expect.poll(drawn).toEqual(['./a', './c', './d']);
    await page.keyboard.press('Control+z');
    await expect.poll(drawn).toEqual(['./a', './b', './c', './d']);
    // Shift extends to all runs between two.
    await eye('a');
    await eye('c', 'Shift');
    await expect.poll(drawn).toEqual(['./d']);
    await expect(page).toHaveURL(/hide=a~/);
    await expect(row(page, 'a').locator('input')).toBeChecked();
    await page.reload();
    await expect.poll(drawn).toEqual(['./d']);
    await page.getByRole('button', { name: '3 hidden: show' }).click();
    await expect.poll(drawn).toEqual(['./a', './b', './c', './d']);
    await page.keyboard.press('Control+z');
    await expect.poll(drawn).toEqual(['./d']);
  });

  test('has a metric that can be changed, of runs that are not selected, too', async ({
    page,
    mindviz,
  }) => {
    for (const [i, run] of ['a', 'b'].entries())
      writeLog(mindviz.file(run, NAME), [
        ...points('loss', 8, (step) => (i + 1) * 100 - step),
        ...points('acc', 8, (step) => step + i),
      ]);
    const metric = page.locator('.panel select[name=metric]');
    await page.goto(`${mindviz.url}#/health`);
    await expect(row(page, 'a').locator('input')).toBeChecked();
    // Without values, nor their heading.
    await expect(metric).toHaveCount(0);
    await page.goto(`${mindviz.url}#/scalar?runs=a`);
    await expect(metric).toHaveAttribute('title', 'Last acc');
    await metric.focus();
    await metric.selectOption('Min loss');
    await expect(row(page, 'a').locator('.value')).toHaveText('93');
    await expect(row(page, 'b').locator('.value')).toHaveText('193');
    await page.reload();
    await expect(metric).toHaveAttribute('title', 'Min loss');
    await expect(row(page, 'b').locator('.value')).toHaveText('193');

    // Values color the runs, here by a ramp that a bar explains.
    await row(page, 'b').locator('input').check();
    const swatch = (run: string) => row(page, run).locator('.swatch rect').getAttribute('fill');
    const own = await swatch('a');
    const coloring = page.locator('.panel select[name=color_by]');
    await coloring.focus();
    await coloring.selectOption('Last loss');
    await expect(page.locator('.panel .ramp-bar .labels span')).toHaveText(['93', '143', '193']);
    await expect(page).toHaveURL(/color_by=scalar/);
    const [low, high] = [await swatch('a'), await swatch('b')];
    expect(new Set([own, low, high]).size).toBe(3);
    await card(page, 'loss').getByRole('button', { name: 'Full screen' }).click();
    await expect(page.locator('article .ramp-bar figcaption')).toHaveText('Last loss');
    const line = page.locator('article .legend li').filter({ hasText: 'b' }).locator('line');
    await expect(line).toHaveAttribute('stroke', String(high));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(coloring).toHaveValue('');
    expect(await swatch('a')).toBe(own);
  });

  test('shows the last value of the first tag', async ({ page, mindviz }) => {
    writeLog(mindviz.file('run', NAME), points('loss', 8));
    await page.goto(`${mindviz.url}#/scalar`);
    await expect(row(page, 'run').locator('.value')).toHaveText('7');
  });

  test('a run whose value is NaN says so once', async ({ page, mindviz }) => {
    writeLog(
      mindviz.file('bad', NAME),
      points('loss', 8, (step) => (step > 4 ? NaN : step)),
    );
    await page.goto(`${mindviz.url}#/scalar?metric=scalar/loss/last`);
    const bad = row(page, 'bad');
    await expect(bad.locator('.diverged')).toHaveText('NaN');
    await expect(bad.locator('.value')).toHaveCount(0);
  });

  test('a run whose loss diverged says so, in the panel and in the table', async ({
    page,
    mindviz,
  }) => {
    const loss = (step: number): number => (step < 100 ? 5 - 0.04 * step : 1 + 0.5 * (step - 100));
    writeLog(mindviz.file('bad', NAME), points('loss', 200, loss));
    await page.goto(`${mindviz.url}#/scalar`);
    await expect(row(page, 'bad').locator('.diverged')).toHaveText('Diverged');
    await page.goto(`${mindviz.url}#/runs`);
    await page.locator('[data-job="./bad"] .diverged').click();
    await expect(page.getByRole('dialog', { name: 'bad' })).toContainText('Divergence');
  });

  test('the mark of NaN ends where values end', async ({ page, mindviz }) => {
    writeLog(mindviz.file('good', NAME), points('loss', 8));
    writeLog(
      mindviz.file('bad', NAME),
      points('other', 8, (step) => (step > 4 ? NaN : step)),
    );
    await page.goto(`${mindviz.url}#/scalar`);
    const right = async (one: Locator): Promise<number> =>
      one.evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return text.getBoundingClientRect().right;
      });
    const mark = row(page, 'bad').locator('.diverged');
    await expect(mark).toBeVisible();
    await page.mouse.move(900, 600);
    expect(await right(mark)).toBeCloseTo(await right(row(page, 'good').locator('.value')), 0);
  });

  test('names without a value have the room of the buttons until these appear', async ({
    page,
    mindviz,
  }) => {
    for (const run of ['one', 'two']) writeLog(mindviz.file(run, NAME), points(run, 8));
    await page.goto(`${mindviz.url}#/scalar`);
    const [valued, bare] = [row(page, 'one'), row(page, 'two')];
    await expect(valued.locator('.value')).toHaveText('7');
    await page.mouse.move(900, 600);
    const width = async (): Promise<number> =>
      (await bare.locator('label').boundingBox())?.width ?? NaN;
    const whole = await width();
    const eye = bare.getByRole('button', { name: 'Hide from charts: two' });
    await bare.hover();
    await expect.poll(width).toBeLessThan(whole - 40);
    await expect(eye).toHaveCSS('opacity', '1');
    // The keyboard reaches them from the box before.
    await page.mouse.move(900, 600);
    await expect.poll(width).toBe(whole);
    await bare.locator('input').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(eye).toBeFocused();
    await expect.poll(width).toBeLessThan(whole - 40);
  });
});

test('the run panel is resized by pointer and keys, and hidden', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), points('loss', 8));
  await page.goto(`${mindviz.url}#/scalar`);
  const panel = page.getByRole('complementary', { name: 'Runs' });
  const width = async (): Promise<number> => (await panel.boundingBox())?.width ?? 0;
  await card(page, 'loss').waitFor();
  expect(await width()).toBe(336);
  const grip = page.getByRole('separator', { name: 'Resize the run panel' });
  await grip.hover({ position: { x: 4, y: 200 } });
  await page.mouse.down();
  const grabbed = (await grip.boundingBox())?.x ?? NaN;
  await page.mouse.move(grabbed + 104, 250, { steps: 4 });
  await page.mouse.up();
  const wider = 436;
  await expect.poll(width).toBe(wider);
  await grip.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(wider - 16);
  await page.reload();
  await expect.poll(width).toBe(wider - 16);
  await page.getByRole('button', { name: 'Hide runs' }).click();
  await expect(panel).toBeHidden();
  await page.reload();
  await page.getByRole('button', { name: 'Show runs' }).click();
  await expect.poll(width).toBe(wider - 16);
});
