import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { card, expect, test, expectPoints } from './mindviz';
import { writeLog } from './tiny_writer';

const PREFIX = '/user/somebody/proxy/8080/';

/** A proxy like Jupyter's: serves another server below a path unknown to that server. */
function jupyter(target: string): Promise<Server> {
  const { hostname, port } = new URL(target);
  const server = createServer((from, to) => {
    const path = from.url ?? '';
    if (!path.startsWith(PREFIX)) {
      to.writeHead(404).end();
      return;
    }
    const passed = request(
      {
        hostname,
        port,
        method: from.method,
        path: `/${path.slice(PREFIX.length)}`,
        headers: { ...from.headers, host: `localhost:${port}` },
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    passed.on('error', () => to.destroy());
    from.pipe(passed);
  });
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', () => {
      ready(server);
    });
  });
}

test('works behind a Jupyter proxy without configuration', async ({ page, mindviz, requests }) => {
  const points = Array.from({ length: 30 }, (_, step) => ({
    tag: 'loss',
    step,
    value: step === 20 ? NaN : step,
    wall_time: 1_700_000_000 + step,
  }));
  writeLog(mindviz.file('a run', 'events.out.tfevents.1700000000.host'), points);
  const server = await jupyter(mindviz.url);
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`;
    await page.goto(base);
    await page.locator('.rail a[href*="#/scalar"]').click();
    await expectPoints(card(page, 'loss'), 30);
    await page.locator('.rail a[href*="#/health"]').click();
    await page.getByRole('link', { name: 'Show in chart' }).click();
    await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
    expect(page.url().startsWith(`${base}#/scalar?`)).toBe(true);
    await page.locator('.rail a[href*="#/runs"]').click();
    await page.locator('.run').getByText('a run').click();
    await expect(page).toHaveURL(/#\/runs\?.*job=/);
    await page.goto(`${base}#/scalar`);
    await card(page, 'loss')
      .getByRole('button', { name: /^Chart menu/ })
      .click();
    const download = page.waitForEvent('download');
    await page.getByText('Download CSV (all points)').click();
    expect((await download).url().startsWith(base)).toBe(true);
    expect(requests.length).toBeGreaterThan(10);
    expect(
      requests
        .filter(
          ({ pathname, protocol }) => protocol.startsWith('http') && !pathname.startsWith(PREFIX),
        )
        .map(String),
    ).toEqual([]);
  } finally {
    await page.goto('about:blank');
    server.closeAllConnections();
    server.close();
  }
});
