import type { RunKind } from '@/store/job_listing';

import type { Plugin } from './plugin';
import { dataOf, pagesIn } from './registry';
import { unshown } from './unshown';

/** Whether the page shows data of specific kinds, which runs may lack. */
export const needsData = (page: Plugin): boolean =>
  page.rest === true || page.gathers === true || page.has !== undefined || dataOf(page).length > 0;

/** Whether the run has data that the page shows. */
export function hasDataFor(page: Plugin, job: RunKind): boolean {
  if (page.has) return page.has(job);
  if (page.rest) return unshown([job]).length > 0;
  if (page.gathers)
    return pagesIn(page.place).some(
      (other) => !other.gathers && !other.rest && hasDataFor(other, job),
    );
  return dataOf(page).some((name) => (job.plugins[name]?.length ?? 0) > 0);
}
