import { readFileSync } from 'node:fs';

import { card, drawnLines, expect, expectLines, row, test, writeSweep } from './mindviz';
import { plotOf, saved } from './scalar_card';
import { points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test('smoothing is independent of the window: the server smooths all points first', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 5_000, (step) => Math.sin(step * 7) + step / 1_000),
  );
  const at = async (url: string, step: number): Promise<number> => {
    await page.goto('about:blank');
    await page.goto(`${mindviz.url}#/scalar?${url}`);
    let value = NaN;
    await expect(async () => {
      const [line] = await drawnLines(page, 'loss');
      expect(line?.raw).not.toBeNull();
      value = line?.y[line.x.indexOf(step)] ?? NaN;
      expect(value).not.toBeNaN();
    }).toPass();
    return value;
  };
  for (const smoothing of ['0.99', 'twema:0.9', 'mean:500', 'gaussian:40']) {
    const far = await at(`smooth=${smoothing}&zoom=2000..2400`, 2_200);
    expect(await at(`smooth=${smoothing}&zoom=2190..2210`, 2_200)).toBeCloseTo(far, 10);
  }
});

test('runs are grouped by shared fields, with counts', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/scalar?runs=*`);
  await page.locator('select[name=group]').selectOption('*');
  await expectLines(page, 'train/loss', 1);
  await page.locator('select[name=group]').selectOption('optimizer');
  await expectLines(page, 'train/loss', 2);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=spread]').selectOption('range');
  await expect(async () => {
    const lines = await drawnLines(page, 'train/loss');
    expect(lines.map(({ id }) => id).sort()).toEqual(['adam', 'sgd']);
    const adam = lines.find(({ id }) => id === 'adam');
    // Last losses of adam: 0.051, 0.053, 0.055.
    expect(adam?.y.at(-1)).toBeCloseTo(0.053, 6);
    expect([adam?.bandLow?.at(-1), adam?.bandHigh?.at(-1)]).toEqual([
      expect.closeTo(0.051, 6),
      expect.closeTo(0.055, 6),
    ]);
  }).toPass();
  await expect(page).toHaveURL(/spread=range/);
  // The losses with adam are 0.051, 0.053 and 0.055: deviation 0.002; Student's t of three values at 95 % is 4.303.
  const drawn = async (): Promise<(number | undefined)[]> => {
    const adam = (await drawnLines(page, 'train/loss')).find(({ id }) => id === 'adam');
    return [adam?.y.at(-1), adam?.bandLow?.at(-1), adam?.bandHigh?.at(-1)].map(
      (value) => value && Math.round(value * 1e5) / 1e5,
    );
  };
  for (const [spread, by] of [
    ['std', 0.002],
    ['confidence', 0.00497],
  ] as const) {
    await page.locator('select[name=spread]').selectOption(spread);
    await expect
      .poll(drawn, spread)
      .toEqual([0.053, 0.053 - by, 0.053 + by].map((value) => Math.round(value * 1e5) / 1e5));
  }
  await page.locator('select[name=centre]').selectOption('median');
  await row(page, 'adam/run_0').locator('input').uncheck();
  await expectLines(page, 'train/loss', 2);
  await expect.poll(async () => (await drawn())[0]).toBe(0.054);
});

test('formulas, other x axes, pinned charts and thresholds are kept in the URL or the browser', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('loss', 10, (step) => 10 - step),
    ...points('lr', 10, (step) => step * 2),
    ...points('acc', 10, (step) => step),
  ]);
  writeLog(mindviz.file('b', NAME), points('eval/loss', 3));
  await page.goto(`${mindviz.url}#/scalar`);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
    'acc',
    'eval/loss',
    'loss',
    'lr',
  ]);
  const boxes = await page
    .getByRole('dialog')
    .getByRole('listitem')
    .evaluateAll((tags) => tags.map((tag) => tag.getBoundingClientRect().toJSON() as DOMRect));
  for (const [i, next] of boxes.slice(1).entries()) {
    const gaps = [next.left - (boxes[i]?.right ?? NaN), next.top - (boxes[i]?.bottom ?? NaN)];
    expect(Math.max(...gaps), 'tags run together').toBeGreaterThan(2);
  }
  const expression = page.locator('input[name=expression]');
  await expression.fill('loss - ');
  await expect(page.getByText('Syntax error at character')).toBeVisible();
  await expression.fill('loss - nobody');
  await expect(page.getByText('No selected run logs “nobody”.')).toBeVisible();
  await expression.fill('loss + lr / 2, acc');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect
    .poll(async () => (await drawnLines(page, 'loss + lr / 2, acc')).map(({ y }) => y.slice(0, 3)))
    .toEqual([
      [10, 10, 10],
      [0, 1, 2],
    ]);

  // Three clicks draw tags of different runs in one chart.
  await card(page, 'loss')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.getByRole('button', { name: 'Overlay another tag' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'eval/loss', exact: true }).click();
  await expect
    .poll(async () => (await drawnLines(page, 'loss, eval/loss')).map(({ y }) => y.length))
    .toEqual([10, 3]);
  await expect(page).toHaveURL(/charts=[^&]*loss,(%20|\+)eval\/loss/);

  await card(page, 'lr')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await expect(page).toHaveURL(/pins=lr/);

  await card(page, 'loss')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.locator('input[name=above]:visible').fill('9.5');
  await page.keyboard.press('Enter');
  await expect(card(page, 'loss')).toContainText('1 run out of range');

  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('input[name=xtag]').fill('lr');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await drawnLines(page, 'loss'))[0]?.x.slice(0, 3))
    .toEqual([0, 2, 4]);
  await page.reload();
  await expect
    .poll(async () => (await drawnLines(page, 'loss'))[0]?.x.slice(0, 3))
    .toEqual([0, 2, 4]);
  await expect(card(page, 'loss')).toContainText('1 run out of range');
});

test('a chart is downloaded as picture and CSV, and shown as a table', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 3, (step) => step / 2),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const saved = async (name: string): Promise<Buffer> => {
    await card(page, 'loss')
      .getByRole('button', { name: /^Chart menu/ })
      .click();
    const download = page.waitForEvent('download');
    await page.locator('.menu:popover-open').getByText(name, { exact: true }).click();
    return readFileSync(await (await download).path());
  };
  const svg = (await saved('Download SVG')).toString();
  for (const text of ['loss', 'Step']) expect(svg).toContain(`>${text}</text>`);
  const png = await saved('Download PNG');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // Twice as large as the SVG, whatever the screen.
  expect(png.readUInt32BE(16)).toBe(1_920);
  expect((await saved('Download CSV (as plotted)')).toString()).toBe(
    'run,x,step,wall_time,value,logged,low,high,n\r\na,0,0,1700000000,0,,,,\r\na,1,1,1700000001,0.5,,,,\r\na,2,2,1700000002,1,,,,\r\n',
  );
  expect((await saved('Download CSV (all points)')).toString()).toContain('0.5');
  await card(page, 'loss')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.getByRole('button', { name: 'View as table' }).click();
  const rows = card(page, 'loss').getByRole('row');
  await expect(rows).toHaveText([/Run.*Last.*Min.*At step.*Max/, /a\s*1\s*0\s*0\s*1\s*2/]);
  // A picture says how its lines were computed.
  await page.goto(`${mindviz.url}#/scalar?smooth=0.6&x=relative`);
  const smoothed = (await saved('Download SVG')).toString();
  for (const text of ['Smoothing: EMA 0.6', 'Relative'])
    expect(smoothed).toContain(`>${text}</text>`);
});

test('a chart is dimmed while its lines are older than the controls', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 9, (step) => step % 3),
  );
  await page.goto(`${mindviz.url}#/scalar?charts=${encodeURIComponent('loss + 1')}`);
  const chart = card(page, 'loss').locator('.line-chart');
  const formula = card(page, 'loss + 1').locator('.line-chart');
  for (const one of [chart, formula]) await expect(one).toHaveAttribute('aria-busy', 'false');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/smoothing=/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('spinbutton', { name: 'Smoothing' }).fill('0.99');
  await page.keyboard.press('Tab');
  for (const one of [chart, formula]) await expect(one).toHaveCSS('opacity', '0.4');
  await expect(chart).toHaveAttribute('aria-busy', 'true');
  release();
  for (const one of [chart, formula]) await expect(one).toHaveCSS('opacity', '1');
  await expect(chart).toHaveAttribute('aria-busy', 'false');
  expect((await drawnLines(page, 'loss'))[0]?.raw).not.toBeNull();
});

test('a zoom along the x axis of one chart fetches full resolution', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('loss', 5_000, (step) => step),
    ...points('acc', 5_000, (step) => step),
  ]);
  await page.goto(`${mindviz.url}#/scalar?set=x=relative@loss&zooms=100..300@relative`);
  const within = async (tag: string): Promise<number> => {
    const [line] = await drawnLines(page, tag);
    return line?.x.filter((x) => x >= 100 && x <= 300).length ?? 0;
  };
  await expect.poll(() => within('loss')).toBe(201);
  expect(await within('acc')).toBeLessThan(100);
  await expect(card(page, 'loss').locator('.line-chart')).toHaveCSS('opacity', '1');
});

test('a chart has its own y range, axes and smoothing, kept in the URL', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('loss', 9, (step) => step + 1),
    ...points('acc', 9, (step) => step + 1),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  const menu = card(page, 'loss').getByRole('button', { name: /^Chart menu/ });
  await menu.click();
  const own = page.locator('.menu:popover-open').getByRole('group', { name: 'This chart' });
  await own.locator('input[name=high]').fill('20');
  await own.locator('input[name=low]').fill('-5');
  await page.keyboard.press('Tab');
  await own.locator('select[name=axis]').selectOption('relative');
  await own.locator('input[name=own-smoothing]').fill('0.995');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/set=/);
  const drawn = async (tag: string): Promise<unknown> => {
    const [line] = await drawnLines(page, tag);
    return [line?.x[1], line?.raw !== null];
  };
  await expect.poll(() => drawn('loss')).toEqual([1, true]);
  expect(await drawn('acc')).toEqual([1, false]);
  const labels = async (): Promise<string[]> => {
    const picture = await saved(page, 'loss', 'Download SVG');
    return [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label = '']) => label);
  };
  expect(await labels()).toEqual(expect.arrayContaining(['20', '−5', '8s']));
  await page.reload();
  await expect.poll(() => drawn('loss')).toEqual([1, true]);

  // It zooms along its own axis, independently of the page.
  const chart = card(page, 'loss').locator('.line-chart');
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await expect(card(page, 'acc').locator('.plot-crosshair')).toBeHidden();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/zooms=[\d.]+\.\.[\d.]+@relative/);
  await expect(page).not.toHaveURL(/zoom=/);
  await page.getByRole('button', { name: /^Relative \d/ }).click();
  await expect(page).not.toHaveURL(/zooms=/);

  await menu.click();
  await own.getByRole('button', { name: 'Reset this chart' }).click();
  await expect(page).not.toHaveURL(/set=/);
  await expect.poll(() => drawn('loss')).toEqual([1, false]);
  await page.keyboard.press('Escape');
  expect(await labels()).not.toContain('20');
});

test('a formula of a tag that one of 120 runs has is drawn', async ({ page, mindviz }) => {
  writeLog(mindviz.file('first', NAME), points('accuracy_1', 3));
  for (let i = 0; i < 119; i++) writeLog(mindviz.file(`run${i}`, NAME), points('loss', 3));
  await page.goto(`${mindviz.url}#/scalar?runs=*`);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.locator('input[name=expression]').fill('accuracy_1 + 1');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect
    .poll(async () => (await drawnLines(page, 'accuracy_1 + 1')).map(({ y }) => y))
    .toHaveLength(1);
});

test('smoothed groups say so, in tooltips and pictures', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  // Groups have the smoothing of the page, not that of a chart.
  const set = 'set=s=none@train/loss';
  await page.goto(`${mindviz.url}#/scalar?runs=*&group=*&smooth=0.6&${set}`);
  await expectLines(page, 'train/loss', 1);
  const svg = await saved(page, 'train/loss', 'Download SVG');
  expect(svg).toContain('>Smoothing: EMA 0.6 · Mean, ± std dev</text>');
  const box = await plotOf(card(page, 'train/loss'));
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  const heads = page.locator('.chart-tooltip thead th');
  await expect(heads).toHaveText(['', 'Group', 'Smoothed', 'Step']);
});
