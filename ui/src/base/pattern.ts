/** What a search field's text matches. */
export interface Pattern {
  readonly matches: (text: string) => boolean;
  /** Whether the text was no valid regular expression and is looked for as it is. */
  readonly literal: boolean;
  readonly empty: boolean;
}

/** A case-insensitive regular expression; text that is none yet (`loss(`) is searched literally. */
export function parsePattern(text: string): Pattern {
  const wanted = text.trim();
  if (wanted === '') return { matches: () => true, literal: false, empty: true };
  try {
    const expression = new RegExp(wanted, 'iu');
    return { matches: (candidate) => expression.test(candidate), literal: false, empty: false };
  } catch {
    const lower = wanted.toLowerCase();
    return {
      matches: (candidate) => candidate.toLowerCase().includes(lower),
      literal: true,
      empty: false,
    };
  }
}

/** A regular expression that matches these texts alone. */
export function exactPattern(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return escaped.length === 1 ? `^${escaped.join('')}$` : `^(${escaped.join('|')})$`;
}
