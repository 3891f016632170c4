import { expect, test } from 'vitest';

import {
  cardsField,
  flagField,
  namesField,
  numberField,
  rangeOf,
  rangeText,
  textField,
  wordField,
  type UrlField,
} from './url_fields';

const rereads = <Value>(field: UrlField<Value>, ...values: Value[]): void => {
  for (const value of values) expect(field.read(field.write(value))).toEqual(value);
};

test('written values are read back', () => {
  rereads(textField(), '', 'a&b=c', '损失');
  rereads(numberField(0), 0, -1.5, 1e300);
  rereads(flagField(), true, false);
  rereads(wordField(['a', 'b']), 'a', 'b');
  rereads(namesField(), [], ['a'], ['a~b', '100%', '%7E', 'train/loss']);
  rereads(cardsField(), {}, { '': '1,2' }, { 'a@b~c@./run': '10..40', 'train/loss': '7', '': '3' });
  for (const range of [null, [10, 40], [-1.5e-9, 0]] as const)
    expect(rangeOf(rangeText(range))).toEqual(range);
});

test('ignores invalid values', () => {
  expect(numberField(1, 0, 10).read('11')).toBeUndefined();
  expect(numberField(1).read('')).toBeUndefined();
  expect(numberField(1).read('x')).toBeUndefined();
  expect(wordField(['a', 'b']).read('c')).toBeUndefined();
  expect(flagField().read('yes')).toBeUndefined();
  for (const text of ['', '5', '40..10', 'a..b', '1..']) expect(rangeOf(text)).toBeNull();
});
