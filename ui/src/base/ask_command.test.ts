import { expect, test } from 'vitest';

import { askCommand } from './ask_command';

test('a command names the server and the question', () => {
  expect(askCommand('http://127.0.0.1:8080/?token=x#/scalar', '', 'series a loss')).toBe(
    'mindviz ask http://127.0.0.1:8080/ series a loss',
  );
  expect(askCommand('http://[::1]:8080/lab/', '', "find 'lr < 1'")).toBe(
    "mindviz ask 'http://[::1]:8080/lab/' find 'lr < 1'",
  );
});

test('without a question, the link is quoted for a shell', () => {
  expect(askCommand('', "http://h/#/runs?filter='a'&x=1", null)).toBe(
    `mindviz ask 'http://h/#/runs?filter='"'"'a'"'"'&x=1'`,
  );
});
