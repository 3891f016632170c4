import type { Plugin } from './plugin';
import { dataOf } from './registry';
import { unshown } from './unshown';

interface Logged {
  readonly plugins: Readonly<Record<string, readonly string[]>>;
}

/** Whether the page shows data of specific kinds, which runs may lack. */
export const needsData = (page: Plugin): boolean => page.rest === true || dataOf(page).length > 0;

/** Whether the run has data that the page shows. */
export function hasDataFor(page: Plugin, job: Logged): boolean {
  if (page.rest) return unshown([job]).length > 0;
  return dataOf(page).some((name) => (job.plugins[name]?.length ?? 0) > 0);
}
