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
export function wordField<const Word extends string>(words: readonly [Word, ...Word[]], usual: Word = words[0]): UrlField<Word> {
  return { usual, write: (value) => value, read: (text) => words.find((word) => word === text) };
}

/** A list of names, in order; `~` separates them. */
export function namesField(usual: readonly string[] = []): UrlField<readonly string[]> {
  return {
    usual,
    write: (names) => names.map((name) => name.replace(/%/g, '%25').replace(/~/g, '%7E')).join('~'),
    read: (text) => (text === '' ? [] : text.split('~').map((name) => name.replace(/%7E/g, '~').replace(/%25/g, '%'))),
  };
}
