/** `train/loss` -> [`train`, `loss`]; without a slash the first is empty. */
export function splitTag(tag: string): [string, string] {
  const slash = tag.indexOf('/');
  return slash <= 0 || slash === tag.length - 1
    ? ['', tag]
    : [tag.slice(0, slash), tag.slice(slash + 1)];
}

/** Shorten in the middle: ends are distinctive. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = Math.floor((most - 1) / 2);
  return `${text.slice(0, start)}…${text.slice(text.length - (most - 1 - start))}`;
}

const TELLING = 14;
/** A shorter start would be as wide as the ellipsis. */
const LEAST_START = 4;
const SHORTEST_PART = 6;
const LONGEST_PART = 20;
const LONGEST_TOKENS = 28;
/** Right-to-left scripts: the browser cuts those. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const JOINED = /\p{M}|\u200d|[\udc00-\udfff]/u;

const JOINT = /[_/ ·-]/;

/** Where the token begins that has the character `at`; a joint belongs to no token. */
export function startOf(joint: RegExp, name: string, at: number): number {
  let start = at;
  while (start > 0 && !joint.test(name.charAt(start - 1))) start--;
  return start;
}

/** Where the last tokens of a run's or group's name begin that have room in the run panel; or -1. */
function tokenWithin(name: string): number {
  return (
    [...name.matchAll(/ · |, /g)].find(({ index }) => name.length - index <= LONGEST_TOKENS)
      ?.index ?? -1
  );
}

/**
 * A start that can be cut, and a distinctive end, which begins at `telling`, if given. Short and
 * right-to-left names have no start.
 */
export function parted(name: string, telling?: number): readonly [start: string, end: string] {
  if (name.length <= TELLING || FROM_RIGHT.test(name)) return ['', name];
  if (telling !== undefined)
    return telling < LEAST_START ? ['', name] : [name.slice(0, telling), name.slice(telling)];
  const tokens = tokenWithin(name);
  if (tokens >= LEAST_START) return [name.slice(0, tokens), name.slice(tokens)];
  const slash = name.lastIndexOf('/');
  const last = name.length - slash;
  let at = Math.max(LEAST_START, name.length - TELLING);
  const token = startOf(JOINT, name, at);
  if (slash >= LEAST_START && last >= SHORTEST_PART && last <= LONGEST_PART) at = slash;
  else if (token >= LEAST_START && name.length - token <= LONGEST_PART) at = token;
  while (at > 0 && (JOINED.test(name.charAt(at)) || name.charAt(at - 1) === '\u200d')) at--;
  return [name.slice(0, at), name.slice(at)];
}

/** An end that may not have room, such as a hash: what is cut first, and its own end. */
export function partedEnd(end: string): readonly [middle: string, end: string] {
  return end.length > LONGEST_TOKENS ? parted(end) : ['', end];
}
