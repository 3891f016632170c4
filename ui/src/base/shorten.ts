/** `train/loss` -> [`train`, `loss`]; without a slash the first is empty. */
export function splitTag(tag: string): [string, string] {
  const slash = tag.indexOf('/');
  return slash <= 0 || slash === tag.length - 1
    ? ['', tag]
    : [tag.slice(0, slash), tag.slice(slash + 1)];
}

/** A long text with its middle left out: ends tell texts apart. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = Math.floor((most - 1) / 2);
  return `${text.slice(0, start)}…${text.slice(text.length - (most - 1 - start))}`;
}

/** As many characters at the end of a name tell it from others, where nothing better is known. */
const TELLING = 14;
/** Less than this at the start is as wide as what would stand for it. */
const LEAST_START = 4;
const SHORTEST_PART = 6;
const LONGEST_PART = 20;
/** Scripts written from the right: where one is cut is for the browser to say. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** What belongs to the character before it, or joins it to the next. */
const JOINED = /\p{M}|\u200d|[\udc00-\udfff]/u;

/**
 * A name in two: what may be cut, and the end, which tells names apart. The end is the last part
 * of a path, where that is of a fitting length. A name that is short or written from the right is
 * in one piece.
 */
export function parted(name: string): readonly [start: string, end: string] {
  if (name.length <= TELLING || FROM_RIGHT.test(name)) return ['', name];
  const slash = name.lastIndexOf('/');
  const last = name.length - slash;
  let at =
    slash >= LEAST_START && last >= SHORTEST_PART && last <= LONGEST_PART
      ? slash
      : Math.max(LEAST_START, name.length - TELLING);
  while (at > 0 && (JOINED.test(name.charAt(at)) || name.charAt(at - 1) === '\u200d')) at--;
  return [name.slice(0, at), name.slice(at)];
}
