import { expect, test } from 'vitest';

import { explainedText } from './explained';

test('the share of each shown component is written beside their sum', () => {
  expect(explainedText([0.6, 0.215, 0.1], 2)).toBe('81.5% (PC1 60%, PC2 21.5%)');
});
