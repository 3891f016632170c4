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
    '#3112f6',
    '#66386a',
    '#325225',
    '#b71a96',
    '#706909',
    '#9d2e32',
    '#dc0c10',
    '#9814df',
    '#065756',
    '#f03475',
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
    '#9a12fb',
    '#26746c',
    '#63780a',
    '#6b6195',
    '#f22db4',
    '#d6f54e',
    '#84a56f',
    '#f3e1a5',
    '#269dbf',
    '#6a51e5',
  ],
} as const;

export type Theme = keyof typeof PALETTES;

/** Of the tags in a chart; color is of the run or group. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

const STYLES = PALETTES.light.length;
const GRAY = 9;
/** Where the colors begin that are used when those before are taken. */
const TIERS = [0, 7, 10, STYLES] as const;

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

/** Indices of colors. A run keeps its color unless it is taken; over twenty runs share colors. */
export function assignStyles(
  trainIds: Iterable<string>,
  remembered: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const jobs = [...new Set(trainIds)]
    .map((id): HashedJob => ({ id, hash: stableHash(id) }))
    .sort((a, b) => a.hash - b.hash || (a.id < b.id ? -1 : 1));
  const styles = new Map<string, number>();
  const uses = new Uint32Array(STYLES);

  const most = Math.ceil(jobs.length / STYLES);

  const take = (job: HashedJob, style: number): void => {
    uses[style] = (uses[style] ?? 0) + 1;
    styles.set(job.id, style);
  };
  let waiting = jobs.filter((job) => {
    const style = remembered.get(job.id);
    if (style === undefined || (uses[style] ?? 0) >= most) return true;
    take(job, style);
    return false;
  });
  // The own slot first, then the next free one of the same tier.
  for (let level = 0; waiting.length > 0; level++) {
    const free = (style: number): boolean => (uses[style] ?? 0) <= level;
    for (const [i, first] of TIERS.slice(0, -1).entries()) {
      const size = (TIERS[i + 1] ?? STYLES) - first;
      const displaced = waiting.filter((job) => {
        const own = first + (job.hash % size);
        if (!free(own)) return true;
        take(job, own);
        return false;
      });
      waiting = displaced.filter((job) => {
        const style = nextFree(job, first, size, free);
        if (style !== undefined) take(job, style);
        return style === undefined;
      });
    }
  }
  return styles;
}

/** Without the palette's gray, if another color is free: gray means that there is no value. */
export function withoutGray(styles: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const used = new Set(styles.values());
  const free = PALETTES.light.findIndex((_, style) => !used.has(style));
  if (free < 0 || !used.has(GRAY)) return styles;
  return new Map([...styles].map(([name, style]) => [name, style === GRAY ? free : style]));
}

function nextFree(
  job: HashedJob,
  first: number,
  size: number,
  free: (style: number) => boolean,
): number | undefined {
  for (let i = 1; i < size; i++) {
    const style = first + ((job.hash + i) % size);
    if (free(style)) return style;
  }
  return undefined;
}

export const styleColor = (style: number, theme: Theme): string =>
  PALETTES[theme][style % STYLES] ?? PALETTES[theme][0];
