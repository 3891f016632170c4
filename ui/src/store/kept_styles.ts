import { keep, keptJson } from './local_storage';

const MOST = 300;

export function keptStyles(): Map<string, number> {
  const entries = keptJson('styles');
  return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
}

export const keepStyles = (styles: ReadonlyMap<string, number>): void =>
  keep('styles', JSON.stringify([...styles].slice(-MOST)));

function isEntry(entry: unknown): entry is [string, number] {
  return (
    Array.isArray(entry) &&
    typeof entry[0] === 'string' &&
    Number.isInteger(entry[1]) &&
    (entry[1] as number) >= 0
  );
}
