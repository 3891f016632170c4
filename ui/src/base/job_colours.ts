/**
 * Colours of train jobs: the same job has the same colour on every page and after every reload.
 *
 * A job's slot is a stable hash of its id. Where several chosen jobs hash to one slot, one keeps
 * it and the others move to the next free one, so that up to ten jobs always differ in colour;
 * beyond ten a second channel, the dash, tells them apart. The outcome depends on the set of
 * chosen jobs alone, not on the order in which they were chosen.
 */

/** A fixed order, after Observable's ten; each at least 3:1 on its theme's panel. */
export const PALETTES = {
  light: [
    '#4269d0', '#b97f00', '#e5533d', '#1f9a8a', '#2f8f44',
    '#dd559a', '#8e50e0', '#2f93d6', '#8f5f42', '#71767f',
  ],
  dark: [
    '#6f93f2', '#efb118', '#ff725c', '#6cc5b0', '#4cbb62',
    '#ff8ab7', '#b57cf7', '#97bbf5', '#b98362', '#a5a9b1',
  ],
} as const;

export type Theme = keyof typeof PALETTES;

/** Line patterns in CSS pixels; the first is solid. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

const COLOURS = PALETTES.light.length;
const STYLES = COLOURS * DASHES.length;

/** FNV-1a with a final mix: stable across browsers and releases, well spread in the low digits. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** train_id -> style number: colour = number % 10, dash = floor(number / 10). */
export function assignStyles(trainIds: Iterable<string>): Map<string, number> {
  const jobs = [...new Set(trainIds)]
    .map((id) => ({ id, hash: stableHash(id) }))
    .sort((a, b) => a.hash - b.hash || (a.id < b.id ? -1 : 1));
  const styles = new Map<string, number>();
  for (let first = 0; first < jobs.length; first += STYLES) {
    assignRound(jobs.slice(first, first + STYLES), styles);
  }
  return styles;
}

/** At most forty jobs: each gets a style of its own, its own slot first, earlier dashes first. */
function assignRound(jobs: readonly { id: string; hash: number }[], styles: Map<string, number>): void {
  const taken = new Set<number>();
  let waiting = jobs;
  for (let dash = 0; dash < DASHES.length && waiting.length > 0; dash++) {
    const displaced: { id: string; hash: number }[] = [];
    const base = dash * COLOURS;
    for (const job of waiting) {
      const style = base + (job.hash % COLOURS);
      if (taken.has(style)) displaced.push(job);
      else take(job.id, style);
    }
    const left: { id: string; hash: number }[] = [];
    for (const job of displaced) {
      const style = nextFree(base, job.hash % COLOURS);
      if (style === undefined) left.push(job);
      else take(job.id, style);
    }
    waiting = left;
  }

  function take(id: string, style: number): void {
    taken.add(style);
    styles.set(id, style);
  }

  function nextFree(base: number, slot: number): number | undefined {
    for (let i = 1; i < COLOURS; i++) {
      const style = base + ((slot + i) % COLOURS);
      if (!taken.has(style)) return style;
    }
    return undefined;
  }
}

/** The colour of a style on a theme. */
export function styleColour(style: number, theme: Theme): string {
  return PALETTES[theme][style % COLOURS] ?? PALETTES[theme][0];
}

/** The dash of a style. */
export function styleDash(style: number): readonly number[] {
  return DASHES[Math.floor(style / COLOURS) % DASHES.length] ?? [];
}
