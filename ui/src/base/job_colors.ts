/** A job's slot is a hash of its id, on collisions the next free one, in any order. */

/**
 * Distinct for color-blind people, with a contrast of at least 3:1 on the panel. The first seven
 * have distinct hues; the next three are a second blue, brown and gray.
 */
export const PALETTES = {
  light: [
    '#4168cf',
    '#c28b00',
    '#f46853',
    '#38a49a',
    '#309d46',
    '#e16f9c',
    '#a463f2',
    '#7296cd',
    '#9d6b4e',
    '#888787',
    '#a800a8',
    '#604818',
    '#783030',
    '#007890',
    '#2400e4',
    '#544878',
    '#546c00',
    '#cc0c00',
    '#006048',
    '#cc0060',
  ],
  dark: [
    '#3f83f0',
    '#f2b91a',
    '#f0683f',
    '#70e6d0',
    '#66cc6e',
    '#d86090',
    '#b66edd',
    '#a8c6ff',
    '#97683f',
    '#bdbcb4',
    '#fcf0b4',
    '#9ca800',
    '#6c6c00',
    '#00a8cc',
    '#fcc0f0',
    '#c0fc00',
    '#d8183c',
    '#fcc09c',
    '#007878',
    '#009054',
  ],
} as const;

export type Theme = keyof typeof PALETTES;

/** Of the tags in a chart; color is of the run or group. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

/** With more runs, colors repeat. */
export const MOST_COLORS = PALETTES.light.length;
const GRAY = 9;
/** Where the colors begin that are used when those before are taken. */
const TIERS = [0, 7, 10, MOST_COLORS] as const;

/** FNV-1a with a final mix: stable across browsers, well spread in the low digits. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

interface HashedJob {
  readonly id: string;
  readonly hash: number;
}

/**
 * Indices of colors. A run keeps its color unless it is taken. Over twenty runs share colors, each
 * with one whose path has as little as possible in common with its own.
 */
export function assignStyles(
  trainIds: Iterable<string>,
  remembered: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const jobs = [...new Set(trainIds)]
    .map((id): HashedJob => ({ id, hash: stableHash(id) }))
    .sort((a, b) => a.hash - b.hash || (a.id < b.id ? -1 : 1));
  const styles = new Map<string, number>();
  const uses = new Uint32Array(MOST_COLORS);
  /** The paths of a style's runs and all of their beginnings. */
  const paths = Array.from({ length: MOST_COLORS }, () => new Set<string>());

  const most = Math.ceil(jobs.length / MOST_COLORS);

  const take = (job: HashedJob, style: number): void => {
    uses[style] = (uses[style] ?? 0) + 1;
    styles.set(job.id, style);
    if (most > 1) for (const path of beginnings(job.id)) paths[style]?.add(path);
  };
  let waiting = jobs.filter((job) => {
    const style = remembered.get(job.id);
    if (style === undefined || (uses[style] ?? 0) >= most) return true;
    take(job, style);
    return false;
  });
  const isUnused = (style: number): boolean => (uses[style] ?? 0) === 0;
  // The own slot first, then the next unused one of the same tier.
  for (const [i, first] of TIERS.slice(0, -1).entries()) {
    const size = (TIERS[i + 1] ?? MOST_COLORS) - first;
    const displaced = waiting.filter((job) => {
      const own = first + (job.hash % size);
      if (!isUnused(own)) return true;
      take(job, own);
      return false;
    });
    waiting = displaced.filter((job) => {
      const style = nextUnused(job, first, size, isUnused);
      if (style !== undefined) take(job, style);
      return style === undefined;
    });
  }
  for (const job of waiting) take(job, leastRelated(job, uses, paths));
  return styles;
}

/** Of the least used styles, the one whose runs' paths have the fewest beginnings of this run's. */
function leastRelated(
  job: HashedJob,
  uses: Uint32Array,
  paths: readonly ReadonlySet<string>[],
): number {
  const own = beginnings(job.id);
  const least = Math.min(...uses);
  let best = 0;
  let fewest = Infinity;
  for (let i = 0; i < MOST_COLORS; i++) {
    const style = (job.hash + i) % MOST_COLORS;
    if (uses[style] !== least) continue;
    const shared = own.filter((path) => paths[style]?.has(path)).length;
    if (shared < fewest) [best, fewest] = [style, shared];
  }
  return best;
}

/** `./a/b/c` -> `./`, `./a/`, `./a/b/` */
const beginnings = (trainId: string): string[] =>
  [...trainId.matchAll(/\//g)].map(({ index }) => trainId.slice(0, index + 1));

/** Without the palette's gray, if another color is free: gray means that there is no value. */
export function withoutGray(styles: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const used = new Set(styles.values());
  const free = PALETTES.light.findIndex((_, style) => !used.has(style));
  if (free < 0 || !used.has(GRAY)) return styles;
  return new Map([...styles].map(([name, style]) => [name, style === GRAY ? free : style]));
}

function nextUnused(
  job: HashedJob,
  first: number,
  size: number,
  isUnused: (style: number) => boolean,
): number | undefined {
  for (let i = 1; i < size; i++) {
    const style = first + ((job.hash + i) % size);
    if (isUnused(style)) return style;
  }
  return undefined;
}

export const styleColor = (style: number, theme: Theme): string =>
  PALETTES[theme][style % MOST_COLORS] ?? PALETTES[theme][0];
