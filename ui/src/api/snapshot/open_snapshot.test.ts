import { expect, test, vi } from 'vitest';

import { openSnapshot } from './open_snapshot';

test.each([
  ['en-US', 'Cannot read this snapshot: its data are damaged.'],
  ['zh-CN', '无法读取此快照：数据已损坏。'],
])('a damaged snapshot says so instead of an empty page, in %s', async (language, shown) => {
  const body = { textContent: '' };
  vi.stubGlobal('document', { body });
  vi.stubGlobal('navigator', { language });
  vi.stubGlobal('HTMLLinkElement', Map);
  const element = { textContent: btoa('cut off') } as unknown as HTMLElement;
  await expect(openSnapshot(element)).rejects.toThrow('damaged');
  expect(body.textContent).toBe(shown);
});
