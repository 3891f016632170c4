import { card, drawnLines, expect, test, expectPoints } from './mindviz';
import { appendLog, points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test('the indicator shows the last change; pausing stops the charts, resuming updates them', async ({
  page,
  mindviz,
  requests,
}) => {
  const file = mindviz.file('a', NAME);
  writeLog(file, points('loss', 10));
  await page.clock.install();
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 10);
  const live = page.locator('.live');
  await page.clock.fastForward(20_000);
  // Nothing has changed since the page was opened.
  await expect(live).toHaveText('Live');
  appendLog(file, points('loss', 5, undefined, 10));
  await expectPoints(card(page, 'loss'), 15);
  // On a machine of any speed, the time is shorter than before.
  await expect(live).toHaveText(/Live · updated (\d seconds? ago)/);

  await live.click();
  await expect(live).toHaveText('Paused');
  const before = requests.length;
  appendLog(file, points('loss', 5, undefined, 15));
  // All timers have fired and sent their requests before this one.
  await page.clock.runFor('10:00');
  await page.evaluate(() => fetch('?asked-last'));
  expect(requests.slice(before).map(({ search }) => search)).toEqual(['?asked-last']);
  expect((await drawnLines(page, 'loss'))[0]?.x.length).toBe(15);
  await live.click();
  await expectPoints(card(page, 'loss'), 20);
});

test('a waiting request announces each change', async ({ page, mindviz }) => {
  const file = mindviz.file('a', NAME);
  writeLog(file, points('loss', 10));
  const waiting = page.waitForRequest(/\/changes\?after=/);
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 10);
  const request = await waiting;
  appendLog(file, points('loss', 1, undefined, 10));
  const answer = (await (await request.response())?.json()) as { data_version: number };
  const before = Number(new URL(request.url()).searchParams.get('after'));
  expect(answer.data_version).toBeGreaterThan(before);
  await expectPoints(card(page, 'loss'), 11);
});

test('derived series follow a fast growing run', async ({ page, mindviz }) => {
  const file = mindviz.file('a', NAME);
  writeLog(file, points('loss', 10));
  await page.goto(`${mindviz.url}#/scalar?charts=${encodeURIComponent('loss * 2')}`);
  await expect.poll(async () => (await drawnLines(page, 'loss * 2'))[0]?.x.length).toBe(10);
  let last = 10;
  await expect
    .poll(
      async () => {
        appendLog(file, points('loss', 1, undefined, last++));
        return (await drawnLines(page, 'loss * 2'))[0]?.x.length;
      },
      { intervals: [300] },
    )
    .toBeGreaterThan(11);
});

test('an unreachable server is shown as stalled, and nothing moves', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 10));
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 10);
  const place = await card(page, 'loss').boundingBox();
  let release = (): void => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/v1/mindviz/status', async (route) => {
    await released;
    await route.continue();
  });
  const live = page.locator('.live');
  await expect(live).toHaveText(/Server not responding · \d+ seconds? ago/, { timeout: 12_000 });
  await expect(live).toHaveAttribute('data-state', 'warning');
  expect(await card(page, 'loss').boundingBox()).toEqual(place);
  release();
  await expect(live).toHaveText(/Live/);
});

test('a progress bar shows loading while known data is visible', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 10));
  let read = 40;
  await page.route('**/v1/mindviz/status', async (route) => {
    const answer = await route.fetch();
    const status = (await answer.json()) as Record<string, unknown>;
    await route.fulfill({
      response: answer,
      json:
        read < 100
          ? { ...status, load_status: 'loading', bytes: 1_000, bytes_read: read * 10 }
          : status,
    });
  });
  await page.goto(`${mindviz.url}#/scalar`);
  const bar = page.getByRole('progressbar', { name: 'Loading 40%' });
  await expect(bar).toHaveJSProperty('position', 0.4);
  await expectPoints(card(page, 'loss'), 10);
  const place = await card(page, 'loss').boundingBox();
  read = 70;
  await expect(page.getByRole('progressbar')).toHaveJSProperty('position', 0.7);
  read = 100;
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  expect(await card(page, 'loss').boundingBox()).toEqual(place);
});

test('shortcuts are off while typing, and the key sheet lists them', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 10));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  const logY = page.getByRole('button', { name: 'Log y' });
  for (const name of ['tags', 'runs', 'command']) {
    const field = page.locator(`input[name=${name}]`);
    await field.click();
    await field.pressSequentially('l?/r');
    await expect(field).toHaveValue('l?/r');
    await expect(logY).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await field.fill('');
    await page.keyboard.press('Escape');
  }
  await page.locator('#main').focus();
  await page.keyboard.press('l');
  await expect(logY).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('/');
  await expect(page.locator('input[name=tags]')).toBeFocused();
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog');
  for (const words of [
    'Command palette',
    'Undo',
    'Filter tags',
    'Log y',
    'Reset zoom',
    'Pin the tooltip',
    'Zoom a chart',
  ]) {
    await expect(sheet).toContainText(words);
  }
  // Shortcuts can be disabled, which is remembered on all pages.
  await sheet.getByRole('checkbox', { name: 'Enable single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(logY).toHaveAttribute('aria-pressed', 'true');
  await page.locator('#main').focus();
  for (const key of ['l', '?', '/']) await page.keyboard.press(key);
  await page.keyboard.press('Control+k');
  await expect(page.locator('input[name=command]')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(logY).toHaveAttribute('aria-pressed', 'true');
});
