import type { Finding } from '@/api/status';

/** What the server says of a base dir that does not exist. */
const MISSING = 'The base dir does not exist; waiting for it.';

/** The findings of the base dir that say which places cannot be read. */
export function unreadPlaces(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ kind }) => kind === 'unreadable');
}

export function isMissingBaseDir({ detail }: Pick<Finding, 'detail'>): boolean {
  return detail === MISSING;
}

/** The path with the reason in parentheses. */
export function placeWithReason({ path, detail }: Pick<Finding, 'path' | 'detail'>): string {
  const reason = detail.replace(/^It cannot be read: /, '').replace(/\.$/, '');
  return reason ? `${path} (${reason})` : path;
}
