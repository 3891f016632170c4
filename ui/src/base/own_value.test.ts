import { expect, test } from 'vitest';

import { ownValue } from './own_value';

test('inherited properties are not values', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(ownValue({ lr: 1 }, name)).toBeUndefined();
    expect(ownValue(JSON.parse(`{"${name}": 2}`) as Record<string, number>, name)).toBe(2);
  }
});
