import type { Value } from './job_query';
import { fieldOf } from './parameter_names';

/** In a grouping: all runs are one group. */
export const TOGETHER = '*';
const ALL_BUT = '*-';
/** All hyperparameters except the seed: runs that agree in them are repetitions. */
export const ALL_BUT_SEED = `${ALL_BUT}seed`;

export const allBut = (field: string): string => ALL_BUT + field;

/** The parameter that may differ within a group; null: grouped otherwise. */
export const fieldLeftOut = (grouping: string): string | null =>
  grouping.startsWith(ALL_BUT) ? grouping.slice(ALL_BUT.length) : null;

/** Log fields that users set, as opposed to measured ones. */
const SET_FIELDS = new Set([
  'network',
  'optimizer',
  'learning_rate',
  'epoch',
  'batch_size',
  'loss_function',
  'device_num',
]);
/** Parameters that name a run or its place; every run would be a group. */
const IDENTIFIER = /(^|[/_. -])(id|uuid|guid|pid|timestamp|date|datetime|host|hostname)$/i;
const OUTPUT = /(^|[/_. -])(run|exp|experiment|output|log|save|work)_?(name|dir|path)$/i;
const namesRuns = (name: string): boolean => IDENTIFIER.test(name) || OUTPUT.test(name);
const SEED = /(^|[/_.-])(seed|random_state)$/i;

export const isSeed = (name: string): boolean => SEED.test(name);

export const isParameter = (name: string): boolean =>
  SET_FIELDS.has(name) || name.startsWith('user_defined/');

interface Facts {
  readonly resolve: (word: string) => string;
  readonly column: (name: string) => readonly Value[];
}

/** The fields whose values make the groups of a grouping. */
export function groupFields(
  by: readonly string[],
  names: readonly string[],
  { resolve, column }: Facts,
): readonly string[] {
  return [
    ...new Set(
      by.flatMap((grouping) => {
        if (grouping === TOGETHER) return [];
        const leftOut = fieldLeftOut(grouping);
        return leftOut === null ? [grouping] : parametersBut(resolve(leftOut), names, column);
      }),
    ),
  ];
}

/** Parameters in which runs differ, without other names of the one that is left out. */
function parametersBut(
  leftOut: string,
  names: readonly string[],
  column: (name: string) => readonly Value[],
): string[] {
  const key = (name: string): string => JSON.stringify(column(name).map((value) => value ?? null));
  const known = new Set([key(leftOut)]);
  return names.filter((name) => {
    if (!isParameter(name) || fieldOf(name) === fieldOf(leftOut)) return false;
    if ((isSeed(leftOut) && isSeed(name)) || namesRuns(name)) return false;
    // A parameter can have two names.
    const values = key(name);
    if (known.has(values) || !differs(column(name))) return false;
    known.add(values);
    return true;
  });
}

function differs(values: readonly Value[]): boolean {
  const there = values.filter((value) => value !== null && value !== undefined);
  return there.some((value) => value !== there[0]);
}
