import type { Choice } from './selection';

type Query = Readonly<Record<string, string | undefined>>;

export interface SelectionState {
  filter: string;
  choice: Choice;
  hidden: ReadonlySet<string>;
  shown: ReadonlySet<string>;
  /** Indices of colors that do not follow from the selection. */
  ownColors: ReadonlyMap<string, number>;
}

/** Escaped in ids, as `%`: paths may contain any character. */
const SEPARATOR = '~';
const MATCHING = '*';
/** Before the filter of a selection that was made with another one than the current. */
const OF_FILTER = '*:';

/** `runs=*`: all matching runs; `runs=a~b`: a list; absent: the newest. `hide`: not drawn. `show`: drawn. */
export const writeSelection = (state: SelectionState): Record<string, string | undefined> => ({
  filter: state.filter || undefined,
  runs: writeChoice(state),
  hide: runsText([...state.hidden]) || undefined,
  show: runsText([...state.shown]) || undefined,
  colors: writeColors(state.ownColors),
});

export function readSelection(query: Query, state: SelectionState): void {
  state.filter = query['filter'] ?? '';
  state.choice = readChoice(query['runs'], state.filter);
  state.hidden = new Set(runIds(query['hide'] ?? ''));
  state.shown = new Set(runIds(query['show'] ?? ''));
  // Last: colors follow from the runs.
  state.ownColors = readColors(query['colors'] ?? '');
}

export const runsText = (trainIds: readonly string[]): string =>
  trainIds.map(escaped).join(SEPARATOR);

/** The ids of a list; none for other selections. */
export const runIds = (text: unknown): string[] =>
  typeof text !== 'string' || text === '' || text === MATCHING || text.startsWith(OF_FILTER)
    ? []
    : text.split(SEPARATOR).map(unescaped);

export const writeColors = (colors: ReadonlyMap<string, number>): string | undefined =>
  colors.size === 0
    ? undefined
    : [...colors].map(([id, color]) => `${color}:${escaped(id)}`).join(SEPARATOR);

const readColors = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split(SEPARATOR).flatMap((entry): [string, number][] => {
      const [, color, id] = /^(\d{1,2}):(.+)$/.exec(entry) ?? [];
      return color === undefined || id === undefined ? [] : [[unescaped(id), Number(color)]];
    }),
  );

function writeChoice({ choice, filter }: SelectionState): string | undefined {
  switch (choice.kind) {
    case 'newest':
      return undefined;
    case 'matching':
      return choice.filter === filter ? MATCHING : OF_FILTER + choice.filter;
    case 'list':
      return runsText(choice.trainIds);
  }
}

function readChoice(text: string | undefined, filter: string): Choice {
  if (text === undefined) return { kind: 'newest' };
  if (text === MATCHING) return { kind: 'matching', filter };
  if (text.startsWith(OF_FILTER)) return { kind: 'matching', filter: text.slice(OF_FILTER.length) };
  return { kind: 'list', trainIds: runIds(text) };
}

/** Without the leading `./` of nearly all ids. */
function escaped(trainId: string): string {
  const short = trainId.startsWith('./') && trainId !== './' ? trainId.slice(2) : `/${trainId}`;
  return short.replace(/%/g, '%25').replace(/~/g, '%7E').replace(/^\*/, '%2A');
}

function unescaped(text: string): string {
  const short = text.replace(/^%2A/, '*').replace(/%7E/g, '~').replace(/%25/g, '%');
  return short.startsWith('/') ? short.slice(1) : `./${short}`;
}
