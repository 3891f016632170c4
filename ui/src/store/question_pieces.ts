/** Series that one request names, at most, and characters of their names: URLs have an end. */
const MAX_SERIES = 200;
const MAX_JOBS = 60;
const MAX_NAMES = 12_000;
/** Jobs x tags in pieces that fit into one request each. */
export function questionPieces(ids: readonly string[], tags: readonly string[]): [string[], string[]][] {
  return pieces(ids, MAX_JOBS).flatMap((someIds) =>
    pieces(tags, Math.max(1, Math.floor(MAX_SERIES / someIds.length))).map(
      (someTags): [string[], string[]] => [someIds, someTags],
    ),
  );
}

/** Names in pieces of so many at most, and of so many characters (but one name at least). */
function pieces(names: readonly string[], most: number): string[][] {
  const made: string[][] = [];
  let length = Infinity;
  for (const name of names) {
    const size = encodeURIComponent(name).length;
    const last = made.at(-1);
    if (last && last.length < most && length + size <= MAX_NAMES) {
      last.push(name);
      length += size;
    } else {
      made.push([name]);
      length = size;
    }
  }
  return made;
}
