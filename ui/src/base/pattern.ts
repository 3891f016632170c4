export interface Pattern {
  readonly matches: (text: string) => boolean;
  readonly literal: boolean;
  readonly empty: boolean;
}

/** A case-insensitive regular expression; an invalid one (`loss(`) matches literally. */
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

/** A regular expression that matches only these texts. */
export function exactPattern(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return escaped.length === 1 ? `^${escaped.join('')}$` : `^(${escaped.join('|')})$`;
}
