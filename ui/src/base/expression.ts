/**
 * Arithmetic over tags: `"train/loss" - "val/loss"`, `log(loss) / 2`. A tag needs quotes where it
 * has anything but letters, digits, `_`, `.` and `/`, and so does one that begins otherwise than
 * with a letter; `/` divides where blanks stand around it.
 */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly parts: readonly Expression[] }
  | {
      readonly kind: 'operation';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

type Operator = '+' | '-' | '*' | '/' | '%' | '^';

/** Those that the server computes: of one series, and of several. */
const OF_ONE = [
  'abs',
  'sign',
  'sqrt',
  'exp',
  'floor',
  'ceil',
  'log',
  'log2',
  'log10',
  'cumsum',
  'cummin',
  'cummax',
  'diff',
] as const;
const OF_SEVERAL = ['min', 'max'] as const;
type FunctionName = (typeof OF_ONE)[number] | (typeof OF_SEVERAL)[number];
const FUNCTIONS: readonly string[] = [...OF_ONE, ...OF_SEVERAL];
const TAKES_SEVERAL: readonly string[] = OF_SEVERAL;

/** What is wrong with an expression, and where. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(readonly at: number) {
    super(`at character ${at + 1}`);
  }
}

interface Token {
  readonly kind: 'number' | 'tag' | 'word' | 'sign';
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:(?<number>\d+\.?\d*(?:e[+-]?\d+)?)|"(?<quoted>[^"]*)"|(?<word>\p{L}[\p{L}\p{N}_.]*(?:\/[\p{L}\p{N}_.]+)*)|(?<sign>[-+*/%^(),]))/uy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) throw new ExpressionError(at + (/\S/.exec(text.slice(at))?.index ?? 0));
    const { number, quoted, word, sign } = groups;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (quoted !== undefined) tokens.push({ kind: 'tag', text: quoted, at });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else tokens.push({ kind: 'sign', text: sign ?? '', at });
  }
  return tokens;
}

/** Expressions between commas, one line for each. Raises ExpressionError. */
export function parseExpressions(text: string): Expression[] {
  const tokens = tokensOf(text);
  let next = 0;
  const isSign = (...signs: string[]): boolean => {
    const token = tokens[next];
    return token?.kind === 'sign' && signs.includes(token.text);
  };
  const fail = (): never => {
    throw new ExpressionError(tokens[next]?.at ?? text.length);
  };
  const expect = (sign: string): void => {
    if (!isSign(sign)) fail();
    next++;
  };

  function sum(): Expression {
    let left = product();
    while (isSign('+', '-'))
      left = {
        kind: 'operation',
        operator: tokens[next++]?.text as Operator,
        left,
        right: product(),
      };
    return left;
  }

  function product(): Expression {
    let left = signed();
    while (isSign('*', '/', '%'))
      left = {
        kind: 'operation',
        operator: tokens[next++]?.text as Operator,
        left,
        right: signed(),
      };
    return left;
  }

  function signed(): Expression {
    if (!isSign('-')) return power();
    next++;
    return {
      kind: 'operation',
      operator: '-',
      left: { kind: 'number', value: 0 },
      right: signed(),
    };
  }

  function power(): Expression {
    const left = one();
    if (!isSign('^')) return left;
    next++;
    return { kind: 'operation', operator: '^', left, right: signed() };
  }

  function one(): Expression {
    const token = tokens[next];
    if (token?.kind === 'sign' && token.text === '(') {
      next++;
      const inner = sum();
      expect(')');
      return inner;
    }
    if (!token || token.kind === 'sign') return fail();
    next++;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'word' && isSign('(') && FUNCTIONS.includes(token.text)) {
      next++;
      const parts = [sum()];
      while (TAKES_SEVERAL.includes(token.text) && isSign(',')) {
        next++;
        parts.push(sum());
      }
      expect(')');
      return { kind: 'call', name: token.text as FunctionName, parts };
    }
    return { kind: 'tag', tag: token.text };
  }

  const expressions = [sum()];
  while (isSign(',')) {
    next++;
    expressions.push(sum());
  }
  if (next < tokens.length) fail();
  return expressions;
}

/** Tags of an expression, each once, as they come. */
export function tagsOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'number':
      return [];
    case 'tag':
      return [expression.tag];
    case 'call':
      return [...new Set(expression.parts.flatMap(tagsOf))];
    case 'operation':
      return [...new Set([...tagsOf(expression.left), ...tagsOf(expression.right)])];
  }
}

/** The expression in the words of the server, which computes it over all points. */
export function formulaOf(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value);
    case 'tag':
      return `\`${expression.tag.replaceAll('`', '``')}\``;
    case 'call': {
      const parts = expression.parts.map(formulaOf);
      // The least of one is itself.
      return parts.length === 1 && TAKES_SEVERAL.includes(expression.name)
        ? (parts[0] ?? '')
        : `${expression.name}(${parts.join(', ')})`;
    }
    case 'operation':
      return `(${formulaOf(expression.left)} ${expression.operator === '^' ? '**' : expression.operator} ${formulaOf(expression.right)})`;
  }
}

/** The expression as a text that means it. */
export function textOf(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value);
    case 'tag':
      return expression.tag;
    case 'call':
      return `${expression.name}(${expression.parts.map(textOf).join(', ')})`;
    case 'operation':
      return `${inBrackets(expression.left)} ${expression.operator} ${inBrackets(expression.right)}`;
  }
}

function inBrackets(expression: Expression): string {
  return expression.kind === 'operation' ? `(${textOf(expression)})` : textOf(expression);
}
