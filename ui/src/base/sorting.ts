export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

export const writeSorting = (keys: readonly SortKey[]): string[] =>
  keys.map(({ id, desc }) => (desc ? `-${id}` : id));

export const readSorting = (names: readonly string[]): SortKey[] =>
  names.map((name) => ({ id: name.replace(/^-/, ''), desc: name.startsWith('-') }));

const SEVERE = 'severe_anomalies';

/** Anomalies are sorted by the worst severity first: keys for a table that does not know this. */
export const withSeverity = (keys: readonly SortKey[]): SortKey[] =>
  keys.flatMap((key) =>
    key.id === 'anomalies' && !keys.some(({ id }) => id === SEVERE)
      ? [{ id: SEVERE, desc: key.desc }, key]
      : [key],
  );

/** The keys that `withSeverity` was given. */
export const withoutSeverity = (keys: readonly SortKey[]): SortKey[] =>
  keys.filter(({ id }, at) => id !== SEVERE || keys[at + 1]?.id !== 'anomalies');
