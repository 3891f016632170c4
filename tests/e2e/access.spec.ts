import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { card, expect, Mindviz, test, expectPoints } from './mindviz';
import { writeLog } from './tiny_writer';

test.use({ failing: true });

const POINTS = Array.from({ length: 30 }, (_, step) => ({
  tag: 'loss',
  step,
  value: step,
  wall_time: 1_700_000_000 + step,
}));

async function started(...more: string[]): Promise<Mindviz> {
  const mindviz = await Mindviz.start({ arguments: ['--host', '0.0.0.0', ...more] });
  writeLog(mindviz.file('run', 'events.out.tfevents.1700000000.host'), POINTS);
  return mindviz;
}

/** Address of the page and the token, apart. */
function parts(link: string): { address: string; token: string } {
  const url = new URL(link);
  const token = url.searchParams.get('token') ?? '';
  url.search = '';
  return { address: String(url), token };
}

async function leave(page: Page, mindviz: Mindviz): Promise<void> {
  await page.goto('about:blank');
  await mindviz.stop();
}

test('the printed link logs in: charts, workers, downloads and the REST page work', async ({
  page,
  context,
  requests,
}) => {
  const mindviz = await started('--url-path-prefix', '/lab/viz');
  const { address, token } = parts(mindviz.url);
  expect(token).not.toBe('');
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 30);
  expect(page.url()).toBe(`${address}${page.url().slice(page.url().indexOf('#'))}`);
  const cookies = await context.cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', secure: false }]);
  expect(cookies[0]?.value).not.toContain(token);

  await card(page, 'loss')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  const download = page.waitForEvent('download');
  await page.getByText('Download CSV (all points)').click();
  expect(await (await download).failure()).toBeNull();

  await page.goto(`${address}v1/mindviz/docs`);
  const route = page.locator('.opblock', { hasText: '/v1/mindviz/status' });
  await route.locator('.opblock-summary-control').click();
  await route.getByRole('button', { name: 'Execute' }).click();
  await expect(route.locator('.live-responses-table')).toContainText('"load_status"');

  const named = requests.filter((request) => request.href.includes(token));
  expect(named.map((request) => request.pathname)).toEqual(['/lab/viz/']);
  await leave(page, mindviz);
});

test('without a cookie, the login page appears and returns to the requested page', async ({
  page,
  context,
}) => {
  const mindviz = await started();
  const { address, token } = parts(mindviz.url);
  await page.goto(`${address}#/scalar?tag=loss`);
  const field = page.getByLabel('Token');
  await expect(field).toBeFocused();
  await field.fill('not the token');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toHaveText('Wrong token.');
  await field.fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expectPoints(card(page, 'loss'), 30);
  expect(page.url()).toContain(`${address}#/scalar?`);

  await context.clearCookies();
  await page.getByRole('alert').getByRole('button', { name: 'Log in' }).click();
  await expect(field).toBeVisible();
  expect(page.url()).toContain('#/scalar?');
  await field.fill(token);
  await field.press('Enter');
  await expectPoints(card(page, 'loss'), 30);
  await leave(page, mindviz);
});

test('another experiment of the server shares the login', async ({ page }) => {
  const second = await Mindviz.start();
  writeLog(second.file('b', 'events.out.tfevents.1700000000.host'), POINTS);
  const mindviz = await started('--summary-base-dir', `more=${second.logs}`);
  await page.goto(mindviz.url);
  await page.getByLabel('Experiment').selectOption('more');
  await expect(page).toHaveURL(/experiment\/more\//);
  await expect(page.locator('.run')).toContainText('b');
  await leave(page, mindviz);
  await second.stop();
});

/** A page that embeds another one, as a notebook does. */
function embedding(url: string): Promise<Server> {
  const server = createServer((_, answer) => {
    answer
      .setHeader('Content-Type', 'text/html')
      .end(`<!doctype html><iframe src="${url}" width="1200" height="700"></iframe>`);
  });
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', () => {
      ready(server);
    });
  });
}

for (const [option, embedded] of [
  ['', true],
  ['none', false],
] as const) {
  test(`a notebook on another port ${embedded ? 'can' : 'cannot'} embed the page ${option}`, async ({
    page,
  }) => {
    const mindviz = await Mindviz.start({ arguments: option ? ['--frame-ancestor', option] : [] });
    writeLog(mindviz.file('run', 'events.out.tfevents.1700000000.host'), POINTS);
    const notebook = await embedding(`${mindviz.url}#/scalar`);
    const complaints: string[] = [];
    page.removeAllListeners('console');
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${(notebook.address() as AddressInfo).port}/`);
    if (embedded) {
      await expectPoints(card(page.frameLocator('iframe'), 'loss'), 30);
      expect(complaints).toEqual([]);
    } else {
      await expect.poll(() => complaints.join()).toContain('frame-ancestors');
    }
    await page.goto('about:blank');
    notebook.closeAllConnections();
    notebook.close();
    await mindviz.stop();
  });
}
