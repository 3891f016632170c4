import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

export interface CardPlace {
  readonly key: string;
  readonly tag: string;
  /** Absent: the card shows several runs. */
  readonly trainId?: string | undefined;
  /** Its name in links, if tag and run are not unique. */
  readonly called?: string;
  /** By default the prefix of its tag. Given sections come first, in their order. */
  readonly section?: string;
}

export interface Section<Card extends CardPlace> {
  /** Empty: tags without a slash. */
  readonly name: string;
  readonly cards: readonly Card[];
  readonly tags: number;
}

/** Sections in natural order, tags without a prefix first; cards of one tag keep their order. */
export function sectionsOf<Card extends CardPlace>(cards: Iterable<Card>): Section<Card>[] {
  const byName = new Map<string, Card[]>();
  const own = new Set<string>();
  for (const card of cards) {
    const name = card.section ?? splitTag(card.tag)[0];
    if (card.section !== undefined) own.add(name);
    const section = byName.get(name);
    if (section) section.push(card);
    else byName.set(name, [card]);
  }
  return [...byName]
    .sort(([a], [b]) => Number(own.has(b)) - Number(own.has(a)) || naturalOrder(a, b))
    .map(([name, list]) => ({
      name,
      cards: own.has(name) ? list : list.sort((a, b) => naturalOrder(a.tag, b.tag)),
      tags: new Set(list.map((card) => card.tag)).size,
    }));
}

/** How many cards a tag has, by the position of its first one. */
function lengthsOfTags(cards: readonly CardPlace[]): Map<number, number> {
  const lengths = new Map<number, number>();
  let first = 0;
  cards.forEach(({ tag }, i) => {
    if (tag !== cards[first]?.tag) first = i;
    lengths.set(first, i - first + 1);
  });
  return lengths;
}

/** Positions in a row where the cards of another tag begin, if a tag has several. */
export const breaksOf = (cards: readonly CardPlace[]): number[] =>
  new Set(cards.map(({ tag }) => tag)).size === cards.length
    ? []
    : cards.flatMap(({ tag }, i) => (i > 0 && tag !== cards[i - 1]?.tag ? [i] : []));

/** Heights are known before a row is mounted, so nothing jumps. */
export type Row<Card extends CardPlace> =
  | { readonly kind: 'section'; readonly key: string; readonly section: Section<Card> }
  | { readonly kind: 'cards' | 'large'; readonly key: string; readonly cards: readonly Card[] };

/**
 * Cards of one tag are not split over rows if one holds them all. An enlarged card has its own row.
 * `folded` of null: sections have no names.
 */
export function rowsOf<Card extends CardPlace>(
  sections: readonly Section<Card>[],
  columns: number,
  folded: ReadonlySet<string> | null,
  large: string | null,
): Row<Card>[] {
  const rows: Row<Card>[] = [];
  for (const section of sections) {
    if (folded) rows.push({ kind: 'section', key: `section ${section.name}`, section });
    if (folded?.has(section.name)) continue;
    let cards: Card[] = [];
    const flush = (): void => {
      if (cards.length > 0)
        rows.push({ kind: 'cards', key: `cards ${cards[0]?.key ?? ''}`, cards });
      cards = [];
    };
    const lengths = lengthsOfTags(section.cards);
    for (const [i, card] of section.cards.entries()) {
      if (cards.length + (lengths.get(i) ?? 1) > columns) flush();
      if (card.key === large) {
        flush();
        rows.push({ kind: 'large', key: `large ${card.key}`, cards: [card] });
        continue;
      }
      cards.push(card);
      if (cards.length === columns) flush();
    }
    flush();
  }
  return rows;
}
