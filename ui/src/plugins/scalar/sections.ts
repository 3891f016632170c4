import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

/** Tags that share what is before their first slash. */
export interface Section {
  /** Empty for tags without a slash. */
  readonly name: string;
  readonly tags: readonly string[];
}

/** Tags by prefix, those without one first, all in natural order. */
export function sectionsOf(tags: Iterable<string>): Section[] {
  const byName = new Map<string, string[]>();
  for (const tag of tags) {
    const [name] = splitTag(tag);
    const section = byName.get(name);
    if (section) section.push(tag);
    else byName.set(name, [tag]);
  }
  return [...byName]
    .sort(([a], [b]) => naturalOrder(a, b))
    .map(([name, list]) => ({ name, tags: list.sort(naturalOrder) }));
}

/** The first tag that as many jobs have as have any: what is worth a look beside every job. */
export function mostCommon(sections: readonly Section[], jobsWith: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  let most = 0;
  for (const tag of sections.flatMap((section) => section.tags)) {
    const count = jobsWith.get(tag) ?? 0;
    if (count > most) [best, most] = [tag, count];
  }
  return best;
}

/** A row of the page: everything has a height known beforehand, so nothing ever jumps. */
export type Row =
  | { readonly kind: 'section'; readonly key: string; readonly section: Section }
  | { readonly kind: 'cards'; readonly key: string; readonly tags: readonly string[] }
  | { readonly kind: 'large'; readonly key: string; readonly tag: string };

/** The page as rows of at most `columns` cards; an enlarged card is a row of its own. */
export function rowsOf(
  sections: readonly Section[],
  columns: number,
  folded: ReadonlySet<string>,
  large: string | null,
): Row[] {
  const rows: Row[] = [];
  for (const section of sections) {
    rows.push({ kind: 'section', key: `section ${section.name}`, section });
    if (folded.has(section.name)) continue;
    let tags: string[] = [];
    const flush = (): void => {
      if (tags.length > 0) rows.push({ kind: 'cards', key: `cards ${tags[0] ?? ''}`, tags });
      tags = [];
    };
    for (const tag of section.tags) {
      if (tag === large) {
        flush();
        rows.push({ kind: 'large', key: `large ${tag}`, tag });
        continue;
      }
      tags.push(tag);
      if (tags.length === columns) flush();
    }
    flush();
  }
  return rows;
}
