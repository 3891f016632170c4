export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

export const writeSorting = (keys: readonly SortKey[]): string[] =>
  keys.map(({ id, desc }) => (desc ? `-${id}` : id));

export const readSorting = (names: readonly string[]): SortKey[] =>
  names.map((name) => ({ id: name.replace(/^-/, ''), desc: name.startsWith('-') }));
