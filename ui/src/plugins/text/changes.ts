import { diffLines } from 'diff';

/** Consecutive lines that are added, removed or unchanged. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'same';
  readonly lines: readonly string[];
}

const AROUND = 2;

export const changesOf = (before: string, after: string): Change[] =>
  diffLines(before, after).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.replace(/\n$/, '').split('\n'),
  }));

export const linesOf = (changes: readonly Change[], kind: Change['kind']): number =>
  changes.reduce((sum, change) => sum + (change.kind === kind ? change.lines.length : 0), 0);

/** A change as shown: long unchanged parts are shortened, with the number of omitted lines. */
export interface ShownChange {
  readonly kind: Change['kind'];
  readonly head: readonly string[];
  readonly left: number;
  readonly tail: readonly string[];
}

export const shownChanges = (changes: readonly Change[]): ShownChange[] =>
  changes.map(({ kind, lines }, i) => {
    const before = i === 0 ? 0 : AROUND;
    const after = i === changes.length - 1 ? 0 : AROUND;
    if (kind !== 'same' || lines.length <= before + after + 1)
      return { kind, head: lines, left: 0, tail: [] };
    return {
      kind,
      head: lines.slice(0, before),
      left: lines.length - before - after,
      tail: lines.slice(lines.length - after),
    };
  });
