import type { Value } from './job_query';
import { ownValue } from './own_value';

const LOGGED = 'user_defined/';

/** Spellings from which the server fills a named field; see docs/lineage.md. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  learning_rate: ['learning_rate', 'learningrate', 'lr'],
  batch_size: ['batch_size', 'batchsize'],
  epoch: ['epoch', 'epochs', 'num_epochs'],
  optimizer: ['optimizer', 'optimiser'],
  loss_function: ['loss_function', 'loss_fn'],
  network: ['network', 'model'],
};
const FIELDS = new Map(
  Object.entries(SPELLINGS).flatMap(([field, spellings]) =>
    spellings.map((spelling) => [spelling, field] as const),
  ),
);

const bareName = (name: string): string =>
  name.startsWith(LOGGED) ? name.slice(LOGGED.length) : name;

/** The named field that a parameter fills, else its own name. */
export function fieldOf(name: string): string {
  const bare = bareName(name);
  const normal = bare
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return FIELDS.get(normal) ?? bare;
}

/** Whether a typed text finds a name, by any of its spellings: `learning rate` finds `lr`. */
export function findsName(typed: string, name: string): boolean {
  const wanted = typed.trim().toLowerCase();
  const inWords = wanted.replace(/[\s-]+/g, '_');
  return (
    name.toLowerCase().includes(wanted) ||
    (ownValue(SPELLINGS, fieldOf(name)) ?? []).some((spelling) => spelling.includes(inWords))
  );
}

export interface ParameterNames {
  /** Each parameter once, in the given order. */
  readonly names: readonly string[];
  /** Names that are not shown, and those shown instead. */
  readonly shownAs: ReadonlyMap<string, string>;
}

/**
 * One name per parameter: as logged. The server repeats `lr` as its field `learning_rate`. The field
 * is shown only if no single logged name has all of its values: MindSpore logs no other name, and
 * runs of several frameworks need a common one. A logged name with different values is shown, too.
 */
export function parameterNames(
  names: readonly string[],
  column: (name: string) => readonly Value[],
): ParameterNames {
  const logged = new Map<string, string[]>();
  const known = new Set(names);
  for (const name of names) {
    const field = fieldOf(name);
    if (name.startsWith(LOGGED) && known.has(field))
      logged.set(field, [...(logged.get(field) ?? []), name]);
  }
  const shownAs = new Map<string, string>();
  for (const [field, spellings] of logged) {
    const values = column(field);
    const repeats = (name: string): boolean => isWithin(column(name), values);
    const complete = spellings.find((name) => isWithin(values, column(name)));
    const isSameName = complete !== undefined && bareName(complete) === field && repeats(complete);
    const shown = isSameName ? field : (complete ?? field);
    for (const name of [field, ...spellings])
      if (name !== shown && (name === field || repeats(name))) shownAs.set(name, shown);
  }
  const placed = new Set([...shownAs].flatMap(([name, shown]) => (known.has(name) ? shown : [])));
  return {
    // The logged name takes the place of its field.
    names: names.flatMap((name) => {
      const shown = shownAs.get(name);
      if (shown !== undefined) return name.startsWith(LOGGED) ? [] : [shown];
      return name.startsWith(LOGGED) && placed.has(name) ? [] : [name];
    }),
    shownAs,
  };
}

/**
 * The spelling that most runs logged, of fields that are shown for several spellings: `lr` for
 * `learning_rate`. `count`: the number of runs with a name.
 */
export function usualSpellings(
  { shownAs }: Pick<ParameterNames, 'shownAs'>,
  count: (name: string) => number,
): ReadonlyMap<string, string> {
  const spelled = new Map<string, Map<string, number>>();
  for (const [name, field] of shownAs) {
    if (field.startsWith(LOGGED)) continue;
    // Runs of MindSpore log the field itself.
    const runs = spelled.get(field) ?? new Map<string, number>([[field, count(field)]]);
    const spelling = bareName(name);
    runs.set(field, (runs.get(field) ?? 0) - count(name));
    runs.set(spelling, (runs.get(spelling) ?? 0) + count(name));
    spelled.set(field, runs);
  }
  const usual = [...spelled].map(([field, runs]): [string, string] => {
    const [[spelling] = [field]] = [...runs].sort(([, a], [, b]) => b - a);
    return [field, spelling];
  });
  return new Map(usual.filter(([field, spelling]) => field !== spelling));
}

/** Whether every value that exists is in the other column, too. */
const isWithin = (some: readonly Value[], all: readonly Value[]): boolean =>
  some.every((value, i) => value === null || value === undefined || isSame(value, all[i]));

const isSame = (a: Value, b: Value): boolean =>
  Object.is(a, b) || (isNumber(a) && isNumber(b) && Number(a) === Number(b));

/** Hyperparameters may be logged as texts: `0.1`. */
const isNumber = (value: Value): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
