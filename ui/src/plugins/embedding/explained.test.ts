import { expect, test } from 'vitest';

import { explainedTexts } from './explained';

test('the share of each shown component is written beside their sum', () => {
  expect(explainedTexts([0.6, 0.215, 0.1], 2)).toEqual({
    share: '81.5%',
    parts: 'PC1 60%, PC2 21.5%',
  });
});
