import { openQuote, tokensOf, type Token } from './job_query';

export interface Place {
  readonly kind: 'field' | 'operator' | 'value' | 'joint';
  readonly field: string;
  readonly typed: string;
  readonly from: number;
  readonly to: number;
}

export function placeIn(text: string): Place {
  let tokens: Token[];
  let open: { from: number; text: string } | null = null;
  const quote = openQuote(text);
  if (quote >= 0) {
    tokens = tokensOf(text.slice(0, quote));
    open = { from: quote, text: text.slice(quote + 1) };
  } else {
    tokens = tokensOf(text);
    const last = tokens.at(-1);
    if (last && (last.kind === 'word' || last.kind === 'text') && last.to === text.length) {
      tokens = tokens.slice(0, -1);
      open = last;
    }
  }
  const place = (kind: Place['kind'], field = ''): Place => ({
    kind,
    field,
    typed: open?.text ?? '',
    from: open?.from ?? text.length,
    to: text.length,
  });
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  if (!last) return place('field');
  switch (last.kind) {
    case 'operator':
      return place('value', before?.text ?? '');
    case 'open':
      return before && isWord(before, ['in'])
        ? place('value', tokens.at(-3)?.text ?? '')
        : place('field');
    case 'comma':
      return place(
        'value',
        tokens[tokens.findLastIndex((token) => isWord(token, ['in'])) - 1]?.text ?? '',
      );
    case 'close':
      return place('joint');
    case 'word':
    case 'text':
      if (isWord(last, ['and', 'or', 'not'])) return place('field');
      return before?.kind === 'operator' ? place('joint') : place('operator');
  }
}

function isWord(token: Token, words: readonly string[]): boolean {
  return token.kind === 'word' && words.includes(token.text.toLowerCase());
}
