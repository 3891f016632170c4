/** One value of a page's state as text in the URL. */
export interface UrlField<Value> {
  /** The value that is not written. */
  readonly usual: Value;
  readonly write: (value: Value) => string;
  /** Undefined: the text means nothing, and the value is as usual. */
  readonly read: (text: string) => Value | undefined;
}

export function textField(usual = ''): UrlField<string> {
  return { usual, write: (value) => value, read: (text) => text };
}

/** A number within bounds. */
export function numberField(usual: number, least = -Infinity, most = Infinity): UrlField<number> {
  return {
    usual,
    write: String,
    read: (text) => {
      const value = text.trim() === '' ? NaN : Number(text);
      return value >= least && value <= most ? value : undefined;
    },
  };
}

export function flagField(usual = false): UrlField<boolean> {
  return {
    usual,
    write: (value) => (value ? '1' : '0'),
    read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  };
}

/** One of some words; the first, unless told otherwise, is the usual one. */
export function wordField<const Word extends string>(
  words: readonly [Word, ...Word[]],
  usual: Word = words[0],
): UrlField<Word> {
  return { usual, write: (value) => value, read: (text) => words.find((word) => word === text) };
}

/** A list of names, in order; `~` separates them. */
export function namesField(usual: readonly string[] = []): UrlField<readonly string[]> {
  return {
    usual,
    write: (names) => names.map((name) => name.replace(/%/g, '%25').replace(/~/g, '%7E')).join('~'),
    read: (text) =>
      text === ''
        ? []
        : text.split('~').map((name) => name.replace(/%7E/g, '~').replace(/%25/g, '%')),
  };
}

/** What single cards of a page show in their own way: a text by the card's name, as `value@card~value@card`. */
export function cardsField(): UrlField<CardTexts> {
  const { write, read } = namesField();
  return {
    usual: {},
    write: (texts) =>
      write(Object.entries(texts).map(([card, text]) => (card === '' ? text : `${text}@${card}`))),
    read: (text) =>
      Object.fromEntries(
        (read(text) ?? []).map((entry) => {
          const at = entry.indexOf('@');
          return at < 0 ? ['', entry] : [entry.slice(at + 1), entry.slice(0, at)];
        }),
      ),
  };
}

/** By the card's name; the empty name is that of all cards. No text holds an `@`. */
export type CardTexts = Readonly<Record<string, string>>;

/** A range as `10..40`; nothing: null. */
export function rangeText(range: readonly [number, number] | null): string {
  return range === null ? '' : `${range[0]}..${range[1]}`;
}

export function rangeOf(text: string): [number, number] | null {
  const [from = NaN, to = NaN] = text.split('..').map((part) => (part === '' ? NaN : Number(part)));
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}
