import { expect, test } from './mindviz';
import { writeLog } from './tiny_writer';

test('the REST API can be tried on its own page', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', 'events.out.tfevents.1700000000.host'), [
    { tag: 'loss', step: 1, value: 0.5, wall_time: 1_700_000_000 },
  ]);
  await page.goto(`${mindviz.url}/v1/mindviz/docs`);
  const route = page.locator('.opblock', { hasText: '/v1/mindviz/datavisual/scalar/metadata' });
  await route.locator('.opblock-summary-control').click();
  await route.locator('[data-param-name=train_id] input').fill('./run');
  await route.locator('[data-param-name=tag] input').fill('loss/scalar');
  await route.getByRole('button', { name: 'Execute' }).click();
  await expect(route.locator('.live-responses-table')).toContainText('"value": 0.5');
});
