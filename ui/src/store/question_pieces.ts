/** Limits of one request: URLs have a maximum length. */
const MAX_SERIES = 200;
const MAX_JOBS = 60;
const MAX_NAMES = 12_000;
/** Split jobs x tags into requests. The first may be smaller, so that its series appear soon. */
export const questionPieces = (
  ids: readonly string[],
  tags: readonly string[],
  first = MAX_SERIES,
): [string[], string[]][] =>
  pieces(ids, MAX_JOBS).flatMap((someIds, i) => {
    const most = (series: number): number => Math.max(1, Math.floor(series / someIds.length));
    const few = i === 0 && first < MAX_SERIES ? tags.slice(0, most(first)) : [];
    return [...pieces(few, most(first)), ...pieces(tags.slice(few.length), most(MAX_SERIES))].map(
      (someTags): [string[], string[]] => [someIds, someTags],
    );
  });

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
