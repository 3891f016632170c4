import { expect, test } from 'vitest';

import { flagField, namesField, numberField, textField, wordField, type UrlField } from './url_fields';

const rereads = <Value>(field: UrlField<Value>, ...values: Value[]): void => {
  for (const value of values) expect(field.read(field.write(value))).toEqual(value);
};

test('what is written is read again', () => {
  rereads(textField(), '', 'a&b=c', '损失');
  rereads(numberField(0), 0, -1.5, 1e300);
  rereads(flagField(), true, false);
  rereads(wordField(['a', 'b']), 'a', 'b');
  rereads(namesField(), [], ['a'], ['a~b', '100%', '%7E', 'train/loss']);
});

test('nonsense is no value', () => {
  expect(numberField(1, 0, 10).read('11')).toBeUndefined();
  expect(numberField(1).read('')).toBeUndefined();
  expect(numberField(1).read('x')).toBeUndefined();
  expect(wordField(['a', 'b']).read('c')).toBeUndefined();
  expect(flagField().read('yes')).toBeUndefined();
});
