import { expect, test } from 'vitest';

import { cardHeight } from './card_shapes';

test('a card is as high as its image at full width', () => {
  const square = cardHeight({ width: 10, height: 10 }, 300);
  expect(cardHeight({ width: 10, height: 5 }, 300)).toBeLessThan(square);
  expect(cardHeight({ width: 10, height: 10 }, 600) - square).toBe(300);
});

test('wide images keep a least height, tall ones are limited', () => {
  expect(cardHeight({ width: 1000, height: 1 }, 300)).toBeGreaterThan(100);
  expect(cardHeight({ width: 1, height: 1000 }, 300)).toBe(
    cardHeight({ width: 10, height: 15 }, 300),
  );
});
