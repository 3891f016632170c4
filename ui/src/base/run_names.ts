import { addTo } from './grouped';

interface Token {
  /** Before the text. */
  readonly joint: string;
  readonly text: string;
}

export interface RunNames {
  /** Name -> the tokens in which it differs from the others. */
  readonly short: ReadonlyMap<string, string>;
  /** What all names share at the front and at the back; empty: nothing. */
  readonly heading: string;
}

/** Shorter names are shown whole. */
const LONG = 24;
const BETWEEN = ' · ';

/** `cifar_resnet50_lr0.1_seed0` -> `resnet50 · lr0.1 · seed0`, if all names start with `cifar_`. */
export function shortNames(names: readonly string[]): RunNames {
  const none: RunNames = { short: new Map(), heading: '' };
  if (names.length < 2 || !names.some((name) => name.length > LONG)) return none;
  const tokens = names.map(tokensOf);
  const texts = inAll(tokens.map((list) => list.map(({ text }) => text)));
  const keys = inAll(tokens.map((list) => list.map(({ text }) => keyOf(text))));
  const short = new Map(
    names.map((name, i) => [name, shortened(tokens[i] ?? [], texts, keys) || name]),
  );
  const isUnique = new Set(short.values()).size === new Set(names).size;
  if (!isUnique) return none;
  return texts.size > 0 ? { short, heading: headingOf(tokens) } : namesByFolder(names);
}

/** Without what the names of one folder share, where all share nothing. */
function namesByFolder(names: readonly string[]): RunNames {
  const folders = new Map<string, string[]>();
  for (const name of names) addTo(folders, name.slice(0, name.indexOf('/') + 1), name);
  const short = new Map(names.map((name) => [name, name]));
  if (folders.size === 1) return { short, heading: '' };
  for (const [folder, within] of folders) {
    const own = shortNames(within.map((name) => name.slice(folder.length))).short;
    for (const name of within) {
      const differing = own.get(name.slice(folder.length));
      if (differing !== undefined && differing.length + folder.length < name.length)
        short.set(name, (folder === '' ? '' : folder.slice(0, -1) + BETWEEN) + differing);
    }
  }
  return { short, heading: '' };
}

/** A sign in an exponent is no joint: `5e-05`. */
function tokensOf(name: string): Token[] {
  const parts = name.split(/([_/ ]|(?<![0-9]e)-)/);
  return parts.flatMap((text, i) =>
    i % 2 === 0 && text !== '' ? [{ joint: i === 0 ? '' : (parts[i - 1] ?? ''), text }] : [],
  );
}

/** `lr0.1` -> `lr`; empty: no letters before a number. */
const keyOf = (text: string): string => /^([a-z]+)[=:]?[-.\d]/i.exec(text)?.[1] ?? '';

function inAll(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const common = new Set(lists[0]);
  for (const list of lists) {
    const here = new Set(list);
    for (const text of common) if (!here.has(text)) common.delete(text);
  }
  common.delete('');
  return common;
}

function shortened(
  tokens: readonly Token[],
  shared: ReadonlySet<string>,
  keys: ReadonlySet<string>,
): string {
  let short = '';
  let follows = false;
  for (const [i, { joint, text }] of tokens.entries()) {
    const next = tokens[i + 1]?.text ?? '';
    // A word names the number after it: `run_3`.
    const names = /^[a-z]+$/i.test(text) && /^\d/.test(next) && !shared.has(next);
    const keeps = !shared.has(text) || names;
    const glued = follows && !names && !keys.has(keyOf(text));
    if (keeps) short += (short === '' ? '' : glued ? joint : BETWEEN) + text;
    follows = keeps;
  }
  return short;
}

function headingOf(tokens: readonly (readonly Token[])[]): string {
  const front = sharedFrom(tokens, (list, i) => list[i]?.text);
  const back = sharedFrom(tokens, (list, i) => list[list.length - 1 - i]?.text);
  const [first = []] = tokens;
  const join = (list: readonly Token[]): string =>
    list.map(({ joint, text }) => joint + text).join('');
  if (front + back === 0 || front + back >= first.length) return '';
  const after = first[front]?.joint ?? '';
  return `${front > 0 ? join(first.slice(0, front)) + after : ''}…${join(first.slice(first.length - back))}`;
}

function sharedFrom(
  lists: readonly (readonly Token[])[],
  at: (list: readonly Token[], i: number) => string | undefined,
): number {
  const [first = []] = lists;
  let count = 0;
  while (count < first.length && lists.every((list) => at(list, count) === at(first, count)))
    count++;
  return count;
}
