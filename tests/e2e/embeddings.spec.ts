import { expectAccessible, writeKinds } from './kinds';
import { expect, test } from './mindviz';

test('points are coloured by their labels, searched, and told their neighbours', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/embedding?runs=first`);
  const card = page.locator('[data-tag=words]');
  await expect(card).toContainText('60 points · 5 dimensions');
  await expect(card).toContainText('of the variance');
  // Coloured by the last column, which has three groups of twenty.
  await expect(card.getByRole('listitem')).toHaveText(['a20', 'b20', 'c20']);
  await page.locator('input[name=labels]').fill('word 1.');
  await expect(card).toContainText('10 of 60 match');
  await page.locator('input[name=labels]').fill('');
  await expectAccessible(page);
  // Somewhere there is a point under the pointer: what is clicked has neighbours of its own group.
  const cloud = card.locator('.cloud');
  const box = await cloud.boundingBox();
  for (let i = 0; i < 400 && (await card.locator('.tip').count()) === 0; i++) {
    await page.mouse.move((box?.x ?? 0) + ((i % 20) + 0.5) * ((box?.width ?? 0) / 20), (box?.y ?? 0) + (Math.floor(i / 20) + 0.5) * ((box?.height ?? 0) / 20));
  }
  const name = (await card.locator('.tip').textContent()) ?? '';
  await page.mouse.down();
  await page.mouse.up();
  await expect(card).toContainText(`Nearest to ${name}`);
  await expect(card.locator('.near li')).toHaveCount(10);
  await expect(card.locator('.near li').first()).toContainText(name.slice(-1));
});

for (const method of ['UMAP', 't-SNE']) {
  test(`${method} is done beside the page`, async ({ page, mindviz }) => {
    writeKinds(mindviz.logs);
    await page.goto(`${mindviz.url}#/embedding?runs=first`);
    await page.getByRole('button', { name: method }).click();
    const card = page.locator('[data-tag=words]');
    await expect(card.getByRole('status')).toBeEmpty({ timeout: 20_000 });
    await expect(card.locator('.cloud')).toBeVisible();
    await expect(card).not.toContainText('failed');
  });
}
