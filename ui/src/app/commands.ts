export interface Command {
  readonly kind: 'run' | 'tag' | 'page' | 'view' | 'action';
  readonly name: string;
  /** Distinguishes commands of the same name: the page of a tag. */
  readonly where?: string;
  readonly run: () => unknown;
}

const MOST = 50;

/** Commands that contain all words. Best first: names, then words that start with one. */
export function findCommands(commands: Iterable<Command>, text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { command: Command; rank: number }[] = [];
  for (const command of commands) {
    const rank = rankOf(command.name.toLowerCase(), words);
    if (rank !== null) found.push({ command, rank });
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ command }) => command);
}

export interface NamePart {
  readonly text: string;
  readonly marked: boolean;
}

/** A name in parts, with those that match a word of the text marked. */
export function markedParts(name: string, text: string): NamePart[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = name.toLowerCase();
  const marked = new Array<boolean>(name.length).fill(false);
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at >= 0) marked.fill(true, at, at + word.length);
  }
  const parts: { text: string; marked: boolean }[] = [];
  for (let i = 0; i < name.length; i++) {
    const last = parts.at(-1);
    const is = marked[i] === true;
    if (last?.marked === is) last.text += name.charAt(i);
    else parts.push({ text: name.charAt(i), marked: is });
  }
  return parts;
}

function rankOf(name: string, words: readonly string[]): number | null {
  // Without a text, commands keep their order.
  let rank = words.length === 0 ? 0 : name.length / 1000;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at < 0) return null;
    if (at > 0) rank += /[\s/_.:-]/.test(name[at - 1] ?? '') ? 1 : 2;
  }
  return rank;
}
