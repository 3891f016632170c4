import { addTo } from './grouped';
import { parted, startOf } from './shorten';

const JOINT = /[_/ ·-]/;
const FOLDER = /[/ ]/;
const BETWEEN = ' · ';
/** Characters of an end that has room in the run panel. */
const ROOM = 28;

/**
 * Where the names that a cut in the middle would make equal differ: the start of the last token
 * that is not shared with the most similar of them. Other names are missing.
 */
export function tellingParts(names: readonly string[]): ReadonlyMap<string, number> {
  const byEnd = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const [start, end] = parted(name);
    if (start !== '') addTo(byEnd, end, name);
  }
  const telling = new Map<string, number>();
  for (const alike of byEnd.values()) {
    if (alike.length < 2) continue;
    // Names that share the longest ends are beside each other.
    const sorted = alike.sort(fromEnd);
    for (const [i, name] of sorted.entries()) {
      const shared = [sorted[i - 1], sorted[i + 1]].map((other) =>
        other === undefined ? 0 : sharedEnd(name, other),
      );
      let at = name.length - Math.max(...shared) - 1;
      // A name that ends another one differs at its start.
      at = startOf(JOINT, name, Math.max(0, at));
      const first = name.indexOf(BETWEEN);
      // All tokens differ: the start of the first one tells, and has less room than the others.
      if (at < first) {
        telling.set(name, first);
        continue;
      }
      const folder = startOf(FOLDER, name, at);
      telling.set(name, name.length - folder <= ROOM ? folder : at);
    }
  }
  return telling;
}

function sharedEnd(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/** Orders texts by their last characters, then the ones before. */
function fromEnd(a: string, b: string): number {
  const shared = sharedEnd(a, b);
  return (a.at(-1 - shared) ?? '') < (b.at(-1 - shared) ?? '') ? -1 : 1;
}
