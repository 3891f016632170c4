import type { Choice } from './selection';

type Query = Readonly<Record<string, string | undefined>>;

/** The part of the selection that the URL holds. */
export interface SelectionState {
  filter: string;
  choice: Choice;
}

/** Separates ids; `~` and itself are escaped in ids, as a path may hold any character. */
const SEPARATOR = '~';

/** `runs=*`: all that the filter matches; `runs=a~b`: these; nothing: the newest. */
export function writeSelection(state: SelectionState): Record<string, string | undefined> {
  return { filter: state.filter || undefined, runs: writeChoice(state.choice) };
}

export function readSelection(query: Query, state: SelectionState): void {
  state.filter = query['filter'] ?? '';
  state.choice = readChoice(query['runs']);
}

/** The argument that says which jobs are chosen. */
export function runsText(trainIds: readonly string[]): string {
  return trainIds.map(escaped).join(SEPARATOR);
}

function writeChoice(choice: Choice): string | undefined {
  switch (choice.kind) {
    case 'newest':
      return undefined;
    case 'matching':
      return '*';
    case 'list':
      return runsText(choice.trainIds);
  }
}

function readChoice(text: string | undefined): Choice {
  if (text === undefined) return { kind: 'newest' };
  if (text === '*') return { kind: 'matching' };
  return { kind: 'list', trainIds: text === '' ? [] : text.split(SEPARATOR).map(unescaped) };
}

/** Nearly all ids begin with `./`; it is left out. */
function escaped(trainId: string): string {
  const short = trainId.startsWith('./') && trainId !== './' ? trainId.slice(2) : `/${trainId}`;
  return short.replace(/%/g, '%25').replace(/~/g, '%7E');
}

function unescaped(text: string): string {
  const short = text.replace(/%7E/g, '~').replace(/%25/g, '%');
  return short.startsWith('/') ? short.slice(1) : `./${short}`;
}
