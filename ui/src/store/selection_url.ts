import type { Choice } from './selection';

type Query = Readonly<Record<string, string | undefined>>;

export interface SelectionState {
  filter: string;
  choice: Choice;
}

/** Escaped in ids, as `%`: paths may contain any character. */
const SEPARATOR = '~';

/** `runs=*`: all matching jobs; `runs=a~b`: a list; absent: the newest. */
export const writeSelection = (state: SelectionState): Record<string, string | undefined> => ({
  filter: state.filter || undefined,
  runs: writeChoice(state.choice),
});

export function readSelection(query: Query, state: SelectionState): void {
  state.filter = query['filter'] ?? '';
  state.choice = readChoice(query['runs']);
}

export const runsText = (trainIds: readonly string[]): string =>
  trainIds.map(escaped).join(SEPARATOR);

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
  return { kind: 'list', trainIds: runIds(text) };
}

/** The ids of a list; none for other selections. */
export const runIds = (text: unknown): string[] =>
  typeof text !== 'string' || text === '' || text === '*'
    ? []
    : text.split(SEPARATOR).map(unescaped);

/** Without the leading `./` of nearly all ids. */
function escaped(trainId: string): string {
  const short = trainId.startsWith('./') && trainId !== './' ? trainId.slice(2) : `/${trainId}`;
  return short.replace(/%/g, '%25').replace(/~/g, '%7E');
}

function unescaped(text: string): string {
  const short = text.replace(/%7E/g, '~').replace(/%25/g, '%');
  return short.startsWith('/') ? short.slice(1) : `./${short}`;
}
