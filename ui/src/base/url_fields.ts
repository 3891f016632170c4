export interface UrlField<Value> {
  readonly usual: Value;
  readonly write: (value: Value) => string;
  /** Undefined: invalid, use the default. */
  readonly read: (text: string) => Value | undefined;
}

export const textField = (usual = ''): UrlField<string> => ({
  usual,
  write: (value) => value,
  read: (text) => text,
});

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

/** One of some words; the first is the default. */
export function wordField<const Word extends string>(
  words: readonly [Word, ...Word[]],
  usual: Word = words[0],
): UrlField<Word> {
  return { usual, write: (value) => value, read: (text) => words.find((word) => word === text) };
}

/** A list of names, separated by `~`. */
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

/** By card name; the empty name is for all cards. Texts contain no `@`. */
export type CardTexts = Readonly<Record<string, string>>;

export const rangeText = (range: readonly [number, number] | null): string =>
  range === null ? '' : `${range[0]}..${range[1]}`;

export function rangeOf(text: string): [number, number] | null {
  const [from = NaN, to = NaN] = text.split('..').map((part) => (part === '' ? NaN : Number(part)));
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}
