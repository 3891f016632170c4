/** The moved cards, in order: each with the card it now precedes; '' is the end of its section. */
export type Moves = readonly (readonly [card: string, before: string])[];

/** A section's cards after the moves; unknown names are skipped. */
export function arranged<Card>(
  cards: readonly Card[],
  nameOf: (card: Card) => string,
  moves: Moves,
): readonly Card[] {
  if (moves.length === 0) return cards;
  const byName = new Map(cards.map((card) => [nameOf(card), card]));
  const here = moves.filter(([card, before]) => byName.has(card) && isPlace(byName, before));
  if (here.length === 0) return cards;
  const names = [...byName.keys()];
  for (const [card, before] of here) {
    names.splice(names.indexOf(card), 1);
    names.splice(before === '' ? names.length : names.indexOf(before), 0, card);
  }
  return names.flatMap((name) => byName.get(name) ?? []);
}

const isPlace = (byName: ReadonlyMap<string, unknown>, before: string): boolean =>
  before === '' || byName.has(before);

/** The moves after another one, without those that change nothing any more. */
export function withMove(
  moves: Moves,
  names: readonly string[],
  card: string,
  before: string,
): Moves {
  if (card === before) return moves;
  const next: Moves = [...moves, [card, before]];
  const wanted = orderOf(names, next);
  let kept = next;
  for (const move of next) {
    const fewer = kept.filter((one) => one !== move);
    if (move[0] === card && orderOf(names, fewer) === wanted) kept = fewer;
  }
  return kept;
}

const orderOf = (names: readonly string[], moves: Moves): string =>
  arranged(names, String, moves).join('\0');

/** The name before which a card is after moving by some places; null: it is at the end already. */
export function placeBy(names: readonly string[], card: string, by: number): string | null {
  const at = names.indexOf(card);
  const to = Math.min(names.length - 1, Math.max(0, at + by));
  if (at < 0 || to === at) return null;
  return names[to < at ? to : to + 1] ?? '';
}

/** What a card takes: columns, and a height in pixels; null: as usual. */
export interface CardSize {
  readonly span: number | null;
  readonly height: number | null;
}

/** As in the URL: `2x400`, `2x`, `x400`; empty: as usual. */
export const writeSize = ({ span, height }: CardSize): string =>
  span === null && height === null ? '' : `${span ?? ''}x${height ?? ''}`;

export function readSize(text: string): CardSize {
  const [span = '', height = ''] = text.split('x');
  return { span: boundedInt(span, 1, MOST_COLUMNS), height: boundedInt(height, ...HEIGHTS) };
}

export const MOST_COLUMNS = 8;
/** Of a resized card, in pixels. */
export const HEIGHTS = [120, 1600] as const;

function boundedInt(text: string, least: number, most: number): number | null {
  const value = Number(text);
  return text !== '' && Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : null;
}
