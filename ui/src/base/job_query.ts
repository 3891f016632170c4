/**
 * The language in which jobs are asked for:
 *
 *     optimizer = adam and (lr < 0.01 or not "val/loss" >= 0.5) and name ~ ^vision/
 *
 * A field is compared (`= != < <= > >=`), searched for a regular expression (`~ !~`) or looked up in
 * a list (`in (adam, sgd)`). Texts are equal whatever their case. What a job has not got is unequal
 * to everything and neither less nor greater.
 */

export type Value = number | string | boolean | null | undefined;

const OPERATORS = ['<=', '>=', '!=', '!~', '==', '=', '<', '>', '~'] as const;
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: 'compare'; readonly field: string; readonly operator: Operator; readonly value: string };

export interface Token {
  readonly kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'comma';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** What is wrong with a question, and where. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(
    readonly reason: 'field' | 'operator' | 'value' | 'close' | 'end' | 'regex' | 'quote',
    readonly at: number,
  ) {
    super(reason);
  }
}

/** Whether somebody means a condition and not a name: there is an operator behind a word. */
export function isQuery(text: string): boolean {
  return /^\s*(?:\(\s*)*(?:not\s+(?:\(\s*)*)*("[^"]*"|'[^']*'|[^\s()<>=!~"',|\\^$*+?[\]{}]+)\s*(<|>|=|!=|!~|~|\s+in\s*\()/i.test(text);
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
    else if (before?.kind === 'operator' && before.text.endsWith('~') && char !== '"' && char !== "'") push('text', regexLength(text, at));
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

/** A regular expression needs no quotes: it ends at a blank, or at a bracket that was not opened. */
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

/** Raises QueryError. */
export function parseQuery(text: string): Condition {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = (): Token | undefined => tokens[next];
  const isWord = (word: string): boolean => peek()?.kind === 'word' && peek()?.text.toLowerCase() === word;
  const fail = (reason: QueryError['reason']): never => {
    throw new QueryError(reason, peek()?.from ?? text.length);
  };

  function any(): Condition {
    return joined('or', all);
  }

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
    const field = take(['word', 'text'], 'field');
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

/** Names of the fields that are asked for. */
export function fieldsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(condition.part);
    case 'in':
    case 'compare':
      return [condition.field];
  }
}

/** The condition as a function; `valueOf` gives a job's value of a field. */
export function matcherOf<Job>(
  condition: Condition,
  valueOf: (field: string) => (job: Job) => Value,
): (job: Job) => boolean {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.parts.map((part) => matcherOf(part, valueOf));
      return (job) => parts.every((part) => part(job));
    }
    case 'or': {
      const parts = condition.parts.map((part) => matcherOf(part, valueOf));
      return (job) => parts.some((part) => part(job));
    }
    case 'not': {
      const part = matcherOf(condition.part, valueOf);
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

/** Numbers with numbers, texts with texts. */
function ordered(wanted: string, holds: (sign: number) => boolean): (value: Value) => boolean {
  const number = wanted.trim() === '' ? NaN : Number(wanted);
  return (value) => {
    if (typeof value === 'number') return !Number.isNaN(value - number) && holds(Math.sign(value - number));
    if (typeof value === 'string' && Number.isNaN(number)) return holds(value < wanted ? -1 : value > wanted ? 1 : 0);
    return false;
  };
}

function isThere(value: Value): value is number | string | boolean {
  return value !== null && value !== undefined;
}

/** A word as it is written in a question. */
export function quoted(word: string): string {
  const bare = /^[^\s()<>=!~"',]+$/.test(word) && !/^(and|or|not|in)$/i.test(word);
  return bare ? word : word.includes('"') ? `'${word}'` : `"${word}"`;
}
