import { expect, test } from 'vitest';

import { withoutTwins } from './field_twins';

test('what has a field of its own is named once', () => {
  expect(withoutTwins(['learning_rate', 'user_defined/lr', 'user_defined/seed'])).toEqual(['learning_rate', 'user_defined/seed']);
  expect(withoutTwins(['optimizer', 'user_defined/optimizer'])).toEqual(['optimizer']);
  expect(withoutTwins(['user_defined/lr', 'user_defined/epochs'])).toEqual(['user_defined/lr', 'user_defined/epochs']);
});
