export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

export function writeSorting(keys: readonly SortKey[]): string[] {
  return keys.map(({ id, desc }) => (desc ? `-${id}` : id));
}

export function readSorting(names: readonly string[]): SortKey[] {
  return names.map((name) => ({ id: name.replace(/^-/, ''), desc: name.startsWith('-') }));
}
