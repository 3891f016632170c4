import type { ApiError } from '@/api/client';
import { formatBytes } from '@/base/format';

/** Why a view was not saved: a message below `snapshot.reasons`, or the server's own words. */
export type SnapshotProblem =
  | { readonly key: string; readonly values: Readonly<Record<string, string>> }
  | { readonly key: null; readonly text: string };

const TOO_SMALL = /^'budget' must be at least (?<bytes>\d+) for this view\.$/;
const TOO_LONG = 'The link is too long.';
const NO_UI = 'This installation has no web UI.';
/** Parts of the server's texts, for the test that it still writes them. */
export const snapshotTexts = ["'budget' must be at least ", ' for this view.', TOO_LONG, NO_UI];

export function snapshotProblem(error: ApiError): SnapshotProblem {
  const bytes = TOO_SMALL.exec(error.message)?.groups?.['bytes'];
  const keyed = (key: string, values = {}): SnapshotProblem => ({
    key,
    values,
  });
  if (bytes !== undefined) return keyed('tooSmall', { size: formatBytes(Number(bytes)) });
  if (error.message === TOO_LONG) return keyed('tooLong');
  if (error.message.startsWith(NO_UI)) return keyed('noUi');
  if (error.tokenRequired) return keyed('token');
  if (error.status === 0) return keyed('unreachable');
  if (error.status === 503) return keyed('busy');
  return { key: null, text: error.message };
}
