import type { Finding } from '@/api/status';

const MISSING = 'The base dir does not exist; waiting for it.';

export const unreadPlaces = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ kind }) => kind === 'unreadable');

export const isMissingBaseDir = ({ detail }: Pick<Finding, 'detail'>): boolean =>
  detail === MISSING;

export function placeWithReason({ path, detail }: Pick<Finding, 'path' | 'detail'>): string {
  const reason = detail.replace(/^It cannot be read: /, '').replace(/\.$/, '');
  return reason ? `${path} (${reason})` : path;
}
