import { expect, test } from 'vitest';

import server from '../../../../mindviz/lineagemgr/name_map.py?raw';

import { ruleProblem } from './rule_problem';

/** Messages of the server's module, with 7 for each value. */
const messages = [...server.matchAll(/InvalidQuery\(\s*f?"([^"\n]*\.)"/g)].map(([, text = '']) =>
  text.replace(/\{[^}]*\}/g, '7'),
);

test('each error of the server about rules has a message', () => {
  expect(messages).toHaveLength(6);
  const keys = messages.map((text) => {
    const wrong = /^[a-z]/.test(text) ? `rule 7, 'x=y': ${text}` : text;
    return ruleProblem(wrong)?.key;
  });
  expect(new Set(keys)).toEqual(new Set(['form', 'noName', 'stars', 'newStar', 'same', 'many']));
});

test('a message repeats the rule, others are shown as sent', () => {
  expect(ruleProblem("rule 2, 'a: b': expected NAME=NEW_NAME.")).toEqual({
    key: 'form',
    values: { n: '2', rule: "'a: b'" },
  });
  expect(ruleProblem('Run ./a does not exist.')).toBeNull();
});
