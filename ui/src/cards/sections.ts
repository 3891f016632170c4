import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

/** What a card shows: a tag, or, where each job has a card of its own, a tag of a job. */
export interface CardPlace {
  /** Tells it from all other cards of its page. */
  readonly key: string;
  readonly tag: string;
  /** The job, where a card is of one. */
  readonly trainId?: string | undefined;
  /** What it is called in links, where tag and job alone don't tell it from others. */
  readonly called?: string;
  /** The section it stands in, before all others and in the order given; by its tag if absent. */
  readonly section?: string;
}

/** Cards whose tags share what is before their first slash. */
export interface Section<Card extends CardPlace> {
  /** Empty for tags without a slash. */
  readonly name: string;
  readonly cards: readonly Card[];
  /** How many tags there are among the cards. */
  readonly tags: number;
}

/** Cards by prefix, tags without one first, all in natural order; cards of one tag as they came. */
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

/** A row of the page: everything has a height known beforehand, so nothing ever jumps. */
export type Row<Card extends CardPlace> =
  | { readonly kind: 'section'; readonly key: string; readonly section: Section<Card> }
  | { readonly kind: 'cards' | 'large'; readonly key: string; readonly cards: readonly Card[] };

/** The page as rows of at most `columns` cards; an enlarged card is a row of its own. `folded` of null: sections have no names. */
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
    for (const card of section.cards) {
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
