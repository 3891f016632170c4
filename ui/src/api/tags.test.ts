import { expect, test } from 'vitest';

import { contractTag, logTag } from './tags';

test.each(['loss', '', 'loss/scalar', 'a/b'])('the suffix of %j is added and removed', (tag) => {
  expect(logTag('scalar', contractTag('scalar', tag))).toBe(tag);
});

test('removes exactly one suffix', () => {
  expect(logTag('scalar', 'loss/scalar/scalar')).toBe('loss/scalar');
  expect(logTag('graph', 'ms_output.pb')).toBe('ms_output.pb');
});
