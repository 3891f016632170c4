import { expect, test } from 'vitest';

import { recentRequests } from './recent_requests';

const at = (path: string): URL => new URL(`http://host/prefix/v1/mindviz/${path}`);

test('the last requests come first, equal ones once', () => {
  recentRequests.add(at('series/image?tag=a'));
  recentRequests.add(at('lineagemgr/diff'), '{"train_ids":["./a"]}');
  recentRequests.add(at('series/image?tag=b'));
  recentRequests.add(at('series/image?tag=a'));
  recentRequests.add(new URL('blob:http://host/1'));
  expect(
    recentRequests
      .texts()
      .slice(0, 3)
      .map((text) => JSON.parse(text) as unknown),
  ).toEqual([
    ['series/image?tag=a', null],
    ['series/image?tag=b', null],
    ['lineagemgr/diff', { train_ids: ['./a'] }],
  ]);
});

test('their number and size are limited', () => {
  for (let i = 0; i < 3_000; i++) recentRequests.add(at(`series/x?tag=${'y'.repeat(1_000)}${i}`));
  const texts = recentRequests.texts();
  expect(texts.length).toBeLessThanOrEqual(1_000);
  expect(texts.join('').length).toBeLessThanOrEqual(500_000);
  expect(texts[0]).toContain('2999');
  recentRequests.add(at('findings'), JSON.stringify('x'.repeat(400_000)));
  expect(recentRequests.texts().join('').length).toBeLessThanOrEqual(500_000);
  recentRequests.add(at('findings'), JSON.stringify('x'.repeat(500_000)));
  expect(recentRequests.texts()).toEqual([]);
});

test('updates and previews are requests for the whole series', () => {
  recentRequests.add(at('series/image?tag=c&since=CURSOR'));
  recentRequests.add(at('series/image?tag=d&sample=1'));
  expect(recentRequests.texts().slice(0, 2)).toEqual([
    '["series/image?tag=d",null]',
    '["series/image?tag=c",null]',
  ]);
});

test('polling does not replace the requests of the view', () => {
  recentRequests.add(at('series/image?tag=e'));
  for (let i = 0; i < 3_000; i++) recentRequests.add(at(`changes?after=${i}`));
  expect(recentRequests.texts()[0]).toBe('["series/image?tag=e",null]');
});
