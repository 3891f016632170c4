import { expect, test } from 'vitest';

import { ownValue } from './own_value';

test('what is inherited is nobody’s value', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(ownValue({ lr: 1 }, name)).toBeUndefined();
    expect(ownValue(JSON.parse(`{"${name}": 2}`) as Record<string, number>, name)).toBe(2);
  }
});
