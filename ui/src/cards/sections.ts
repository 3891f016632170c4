import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

import { cardName } from './card_state';

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

/** A card's name in links. */
export const calledOf = ({ called, tag, trainId }: CardPlace): string =>
  called ?? cardName(tag, trainId);

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

/** Few cards share the width of the page, up to so many pixels each; one has half of it. */
const MOST_COLUMN = 1_000;

/** Columns of a page, of at least `least` pixels each. */
export function columnsFor(cards: number, page: number, least: number, gap: number): number {
  const within = (width: number): number => (page + gap) / (width + gap);
  const usual = Math.max(1, Math.floor(within(least)));
  return Math.min(usual, Math.max(2, cards, Math.ceil(within(MOST_COLUMN))));
}

/** Columns from `at` on. */
interface Columns {
  readonly at: number;
  readonly span: number;
}
export interface Head<Card extends CardPlace> extends Columns {
  readonly section: Section<Card>;
  /** Whether the section begins in a row above. */
  readonly continued: boolean;
}
export interface Slot<Card extends CardPlace> extends Columns {
  readonly section: Section<Card>;
  readonly card: Card;
}

/** Heights are known before a row is mounted, so nothing jumps. */
export type Row<Card extends CardPlace> =
  | { readonly kind: 'heads'; readonly heads: readonly Head<Card>[] }
  | { readonly kind: 'cards' | 'large'; readonly slots: readonly Slot<Card>[] };

export interface Grid<Card extends CardPlace> {
  readonly columns: number;
  /** Names of folded sections; null: one section without a name. */
  readonly folded: ReadonlySet<string> | null;
  /** The key of the enlarged card, which has its own row. */
  readonly large: string | null;
  readonly spanOf: (card: Card) => number;
}

/**
 * Rows of cards. Sections flow together where a section of a single row would leave a hole: it shares
 * its row with the sections before and after. Two longer sections never share a row.
 */
export function rowsOf<Card extends CardPlace>(
  sections: readonly Section<Card>[],
  grid: Grid<Card>,
): Row<Card>[] {
  const { columns, folded } = grid;
  if (folded === null) return sections.flatMap((section) => packed(section, grid));
  const rows: Row<Card>[] = [];
  /** The row that later sections may join. */
  let open: Open<Card> = closed();
  const flush = (): void => {
    const last = open.heads.pop();
    if (last && (open.named || open.heads.length > 0))
      rows.push({ kind: 'heads', heads: [...open.heads, { ...last, span: columns - last.at }] });
    if (open.slots.length > 0) rows.push({ kind: 'cards', slots: open.slots });
    open = closed();
  };
  const join = (section: Section<Card>, slots: readonly Slot<Card>[]): void => {
    const at = open.used;
    const end = slots.length > 0 ? widthOf(slots) : at + 1;
    open.heads.push({ section, at, span: end - at, continued: false });
    open.slots.push(...slots);
    open.used = end;
  };
  for (const section of sections) {
    const isFolded = folded.has(section.name);
    const own = isFolded ? [] : packed(section, grid);
    const isShort = own.length <= 1 && own[0]?.kind !== 'large';
    // A folded section beside cards would leave a hole below its head.
    if ((open.slots.length === 0) !== isFolded) flush();
    if (open.used === columns || (open.long && !isShort)) flush();
    const [first, ...rest] = isFolded ? [] : packed(section, grid, open.used);
    const fits = first?.kind === 'cards' && first.slots.length > 0 && !(isShort && rest.length > 0);
    if (!fits && !isFolded) {
      flush();
      if (isShort && own[0]) join(section, own[0].slots);
      else startAlone(section, own);
      continue;
    }
    const isLate = open.used > 0;
    join(section, first?.kind === 'cards' ? first.slots : []);
    if (rest.length === 0) continue;
    flush();
    continueBelow(section, rest, isLate);
  }
  flush();
  return rows;

  function startAlone(section: Section<Card>, own: readonly CardRow<Card>[]): void {
    rows.push({ kind: 'heads', heads: [{ section, at: 0, span: columns, continued: false }] });
    continueBelow(section, own, false);
  }

  /** The last row stays open. A section that begins in the middle of a row is named once more. */
  function continueBelow(
    section: Section<Card>,
    own: readonly CardRow<Card>[],
    named: boolean,
  ): void {
    const last = own.at(-1);
    const head = { section, at: 0, span: columns, continued: true };
    if (named && own.length > 1) rows.push({ kind: 'heads', heads: [head] });
    rows.push(...own.slice(0, -1));
    if (last?.kind === 'large') rows.push(last);
    if (last?.kind !== 'cards') return;
    const used = widthOf(last.slots);
    open = {
      heads: [{ ...head, span: used }],
      slots: [...last.slots],
      used,
      long: true,
      named: named && own.length === 1,
    };
  }
}

interface Open<Card extends CardPlace> {
  readonly heads: Head<Card>[];
  readonly slots: Slot<Card>[];
  used: number;
  /** Whether it is the end of a longer section. */
  readonly long: boolean;
  /** Whether its heads are shown, however few. */
  readonly named: boolean;
}

const closed = <Card extends CardPlace>(): Open<Card> => ({
  heads: [],
  slots: [],
  used: 0,
  long: false,
  named: true,
});

type CardRow<Card extends CardPlace> = Exclude<Row<Card>, { readonly kind: 'heads' }>;

/**
 * A section's rows, the first one from a column on: empty if the first cards need a whole row. Cards
 * of one tag are not split over rows if one holds them all.
 */
function packed<Card extends CardPlace>(
  section: Section<Card>,
  { columns, large, spanOf }: Grid<Card>,
  from = 0,
): CardRow<Card>[] {
  const rows: CardRow<Card>[] = [];
  const spans = section.cards.map((card) => Math.min(columns, Math.max(1, spanOf(card))));
  const widths = widthsOfTags(section.cards, spans);
  let slots: Slot<Card>[] = [];
  let used = from;
  const flush = (): void => {
    if (used > 0) rows.push({ kind: 'cards', slots });
    [slots, used] = [[], 0];
  };
  section.cards.forEach((card, i) => {
    const span = spans[i] ?? 1;
    if (used + span > columns || used + (widths.get(i) ?? 0) > columns) flush();
    if (card.key === large) {
      flush();
      rows.push({ kind: 'large', slots: [{ section, card, at: 0, span: columns }] });
      return;
    }
    slots.push({ section, card, at: used, span });
    used += span;
  });
  flush();
  return rows;
}

function widthOf(slots: readonly Columns[]): number {
  const last = slots.at(-1);
  return last ? last.at + last.span : 0;
}

/** Columns of all cards of a tag, by the position of its first one. */
function widthsOfTags(cards: readonly CardPlace[], spans: readonly number[]): Map<number, number> {
  const widths = new Map<number, number>();
  let first = 0;
  cards.forEach(({ tag }, i) => {
    if (tag !== cards[first]?.tag) first = i;
    widths.set(first, (widths.get(first) ?? 0) + (spans[i] ?? 1));
  });
  return widths;
}

/** Columns where the cards of another tag begin, if a tag has several. */
export function breaksOf<Card extends CardPlace>(slots: readonly Slot<Card>[]): number[] {
  const tags = slots.map(({ card }) => card.tag);
  return new Set(tags).size === tags.length
    ? []
    : slots.flatMap(({ at }, i) => (i > 0 && tags[i] !== tags[i - 1] ? [at] : []));
}
