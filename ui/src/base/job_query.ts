import { parsePattern } from './pattern';

/**
 * The query language of jobs:
 *
 *     lenet and optimizer = adam and (lr < 0.01 or not "val/loss" >= 0.5) and not "try 2"
 *
 * Fields are compared (`= != < <= > >=`), matched with a regular expression (`~ !~`) or looked up
 * in a list (`in (adam, sgd)`). Texts are compared case-insensitively. A missing value differs from
 * every value and has no order. Other words match job names as regular expressions, quoted ones
 * literally.
 */

export type Value = number | string | boolean | null | undefined;

const OPERATORS = ['<=', '>=', '!=', '!~', '==', '=', '<', '>', '~'] as const;
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'name'; readonly text: string; readonly literal: boolean }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[] }
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: Operator;
      readonly value: string;
    };

export interface Token {
  readonly kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'comma';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const KEYWORD = /^(?:and|or|not|in)$/i;

export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(
    readonly reason: 'field' | 'operator' | 'value' | 'close' | 'end' | 'regex' | 'quote',
    readonly at: number,
  ) {
    super(reason);
  }
}

/** Whether the text is a query, not a regular expression over names. */
export function isQuery(text: string): boolean {
  const compared =
    /^\s*(?:\(\s*)*(?:not\s+(?:\(\s*)*)*("[^"]*"|'[^']*'|[^\s()<>=!~"',|\\^$*+?[\]{}]+)\s*(<|>|=|!=|!~|~|\s+in\s*\()/i;
  const joined = /\s(?:and|or)(?:[\s(]|$)|^[\s(]*(?:not[\s(]|["'])/i;
  return compared.test(text) || joined.test(text);
}

/** The condition of a filter: none, a query, or a regular expression. Throws QueryError. */
export function conditionOf(text: string): Condition | null {
  if (isQuery(text)) return parseQuery(text);
  return text.trim() === '' ? null : { kind: 'name', text: text.trim(), literal: false };
}

/** The server refuses longer ones. */
const MOST_CHARACTERS = 20_000;

/** What `withNames` writes, with the names. */
const NAME = `(?:"[^"]*"|'[^']*'|[^\\s()<>=!~"',]+)`;
const WITH_NAMES = new RegExp(`^(.+) or name in \\((${NAME}(?:, ${NAME})*)\\)$`);

function isComplete(text: string): boolean {
  try {
    parseQuery(text);
    return true;
  } catch (reason) {
    if (reason instanceof QueryError) return false;
    throw reason;
  }
}

/** A filter that also matches these names; null: it cannot be written. */
export function withNames(filter: string, names: readonly string[]): string | null {
  if (filter.trim() === '' || names.length === 0) return filter;
  const [, own, listed] = WITH_NAMES.exec(filter) ?? [];
  const isOwn = own !== undefined && listed !== undefined && isComplete(own);
  if ([filter, ...names].some((text) => text.includes('"') && text.includes("'"))) return null;
  const before = isOwn ? own : isQuery(filter) ? `(${filter})` : nameCondition(filter.trim());
  const list = [...(isOwn ? [listed] : []), ...names.map(quoted)].join(', ');
  const text = `${before} or name in (${list})`;
  return text.length > MOST_CHARACTERS ? null : text;
}

/** `name ~` does not match labels, so only what cannot be a word is written so. */
function nameCondition(text: string): string {
  if (/^[^\s()<>=!~"',]+$/.test(text) && !KEYWORD.test(text)) return text;
  return parsePattern(text).literal ? quoted(text) : `name ~ ${quoted(text)}`;
}

/** A trailing bare word that is matched against names, or null. */
export function lastName(text: string): Token | null {
  if (openQuote(text) >= 0) return null;
  const [before, last] = tokensOf(text).slice(-2);
  const word = last ?? before;
  const ahead = last ? before : undefined;
  if (word?.kind !== 'word' || word.to !== text.trimEnd().length || KEYWORD.test(word.text))
    return null;
  return ahead?.kind === 'operator' || ahead?.kind === 'comma' ? null : word;
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], length: number, value = text.slice(at, at + length)): void => {
    tokens.push({ kind, text: value, from: at, to: at + length });
    at += length;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const before = tokens.at(-1);
    const operator = OPERATORS.find((one) => text.startsWith(one, at));
    if (/\s/.test(char)) at++;
    else if (
      before?.kind === 'operator' &&
      before.text.endsWith('~') &&
      char !== '"' &&
      char !== "'"
    )
      push('text', regexLength(text, at));
    else if (char === '(') push('open', 1);
    else if (char === ')') push('close', 1);
    else if (char === ',') push('comma', 1);
    else if (char === '"' || char === "'") {
      const end = text.indexOf(char, at + 1);
      if (end < 0) throw new QueryError('quote', at);
      push('text', end + 1 - at, text.slice(at + 1, end));
    } else if (operator) push('operator', operator.length);
    else push('word', /^[^\s()<>=!~"',]+|^./.exec(text.slice(at))?.[0].length ?? 1);
  }
  return tokens;
}

export function openQuote(text: string): number {
  let from = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (from < 0 ? char === '"' || char === "'" : char === text[from]) from = from < 0 ? at : -1;
  }
  return from;
}

/** An unquoted regular expression ends at a blank or an unopened bracket. */
function regexLength(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (/\s/.test(char) || (char === ')' && --depth < 0)) break;
  }
  return Math.min(at, text.length) - from;
}

export function parseQuery(text: string): Condition {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = (): Token | undefined => tokens[next];
  const isWord = (word: string): boolean =>
    peek()?.kind === 'word' && peek()?.text.toLowerCase() === word;
  const fail = (reason: QueryError['reason']): never => {
    throw new QueryError(reason, peek()?.from ?? text.length);
  };

  const any = (): Condition => joined('or', all);

  function all(): Condition {
    return joined('and', one);
  }

  function joined(joint: 'and' | 'or', part: () => Condition): Condition {
    const first = part();
    const parts = [first];
    while (isWord(joint)) {
      next++;
      parts.push(part());
    }
    return parts.length === 1 ? first : { kind: joint, parts };
  }

  function one(): Condition {
    if (isWord('not')) {
      next++;
      return { kind: 'not', part: one() };
    }
    if (peek()?.kind === 'open') {
      next++;
      const inner = any();
      if (peek()?.kind !== 'close') fail('close');
      next++;
      return inner;
    }
    return comparison();
  }

  function comparison(): Condition {
    const token = peek();
    const field = take(['word', 'text'], 'field');
    if (token && peek()?.kind !== 'operator' && !isWord('in')) {
      if (token.kind === 'text') return { kind: 'name', text: field, literal: true };
      if (KEYWORD.test(field)) {
        next--;
        fail('field');
      }
      return { kind: 'name', text: field, literal: false };
    }
    if (isWord('in')) {
      next++;
      take(['open'], 'value');
      const values = [take(['word', 'text'], 'value')];
      while (peek()?.kind === 'comma') {
        next++;
        values.push(take(['word', 'text'], 'value'));
      }
      take(['close'], 'close');
      return { kind: 'in', field, values };
    }
    const written = take(['operator'], 'operator');
    const operator = (written === '==' ? '=' : written) as Operator;
    const value = take(['word', 'text'], 'value');
    if (operator === '~' || operator === '!~') expression(value);
    return { kind: 'compare', field, operator, value };
  }

  function take(kinds: readonly Token['kind'][], reason: QueryError['reason']): string {
    const token = peek();
    if (!token || !kinds.includes(token.kind)) return fail(reason);
    next++;
    return token.text;
  }

  function expression(source: string): void {
    try {
      RegExp(source, 'iu');
    } catch {
      next--;
      fail('regex');
    }
  }

  const condition = any();
  if (next < tokens.length) fail('end');
  return condition;
}

export function fieldsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(condition.part);
    case 'name':
      return [];
    case 'in':
    case 'compare':
      return [condition.field];
  }
}

/** The condition as a function. */
export function matcherOf<Job>(
  condition: Condition,
  valueOf: (field: string) => (job: Job) => Value,
  namesOf: (job: Job) => readonly string[],
): (job: Job) => boolean {
  switch (condition.kind) {
    case 'name': {
      const matches = nameTest(condition.text, condition.literal);
      return (job) => namesOf(job).some(matches);
    }
    case 'and':
    case 'or': {
      const parts = condition.parts.map((part) => matcherOf(part, valueOf, namesOf));
      return condition.kind === 'and'
        ? (job) => parts.every((part) => part(job))
        : (job) => parts.some((part) => part(job));
    }
    case 'not': {
      const part = matcherOf(condition.part, valueOf, namesOf);
      return (job) => !part(job);
    }
    case 'in': {
      const get = valueOf(condition.field);
      const tests = condition.values.map((value) => equalTo(value));
      return (job) => tests.some((test) => test(get(job)));
    }
    case 'compare': {
      const get = valueOf(condition.field);
      const test = testOf(condition.operator, condition.value);
      return (job) => test(get(job));
    }
  }
}

function nameTest(text: string, literal: boolean): (name: string) => boolean {
  if (!literal) return parsePattern(text).matches;
  const lower = text.toLowerCase();
  return (name) => name.toLowerCase().includes(lower);
}

function testOf(operator: Operator, wanted: string): (value: Value) => boolean {
  switch (operator) {
    case '=':
      return equalTo(wanted);
    case '!=': {
      const equal = equalTo(wanted);
      return (value) => !equal(value);
    }
    case '~':
    case '!~': {
      const expression = new RegExp(wanted, 'iu');
      return (value) => (isThere(value) && expression.test(String(value))) === (operator === '~');
    }
    case '<':
      return ordered(wanted, (sign) => sign < 0);
    case '<=':
      return ordered(wanted, (sign) => sign <= 0);
    case '>':
      return ordered(wanted, (sign) => sign > 0);
    case '>=':
      return ordered(wanted, (sign) => sign >= 0);
  }
}

function equalTo(wanted: string): (value: Value) => boolean {
  const lower = wanted.toLowerCase();
  const number = wanted.trim() === '' ? NaN : Number(wanted);
  return (value) => {
    if (!isThere(value)) return lower === 'none';
    return typeof value === 'number' ? value === number : String(value).toLowerCase() === lower;
  };
}

function ordered(wanted: string, holds: (sign: number) => boolean): (value: Value) => boolean {
  const number = wanted.trim() === '' ? NaN : Number(wanted);
  return (value) => {
    if (typeof value === 'number')
      return !Number.isNaN(value - number) && holds(Math.sign(value - number));
    if (typeof value === 'string' && Number.isNaN(number))
      return holds(value < wanted ? -1 : value > wanted ? 1 : 0);
    return false;
  };
}

function isThere(value: Value): value is number | string | boolean {
  return value !== null && value !== undefined;
}

export function quoted(word: string): string {
  const bare = /^[^\s()<>=!~"',|\\^$*+?[\]{}]+$/.test(word) && !KEYWORD.test(word);
  return bare ? word : word.includes('"') ? `'${word}'` : `"${word}"`;
}
