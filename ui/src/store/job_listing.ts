import type { TrainJob, TrainJobPage } from '@/api/train_jobs';

export type Listing = ReadonlyMap<string, TrainJob>;

type FetchPage = (page: number, limit: number) => Promise<TrainJobPage>;

const SMALL_PAGE = 100;

/** The newest jobs and the total: shown long before the whole list is loaded. */
export async function readNewest(
  fetchPage: FetchPage,
): Promise<{ readonly jobs: Listing; readonly total: number }> {
  const { train_jobs, total } = await fetchPage(0, SMALL_PAGE);
  return { jobs: new Map(train_jobs.map((job) => [job.train_id, job])), total };
}

export const listingOf = (jobs: readonly TrainJob[], before: Listing): Listing =>
  new Map(jobs.map((job) => [job.train_id, merged(before.get(job.train_id), job)]));

/** Ordered by update time: stop at the first page without changes. Null: jobs were removed. */
export async function updateListing(
  fetchPage: FetchPage,
  before: Listing,
): Promise<Listing | null> {
  const jobs = new Map(before);
  let changed = false;
  for (let page = 0; ; page++) {
    const answer = await fetchPage(page, SMALL_PAGE);
    const news = answer.train_jobs.filter((job) => isNews(jobs.get(job.train_id), job));
    for (const job of news) jobs.set(job.train_id, merged(jobs.get(job.train_id), job));
    changed ||= news.length > 0;
    if (news.length === 0 || (page + 1) * SMALL_PAGE >= answer.total) {
      if (jobs.size !== answer.total) return null;
      return changed ? jobs : before;
    }
  }
}

function isNews(known: TrainJob | undefined, job: TrainJob): boolean {
  return (
    known?.version !== job.version ||
    known.update_timestamp !== job.update_timestamp ||
    known.cache_status !== job.cache_status
  );
}

/** An evicted job keeps its tags. */
function merged(known: TrainJob | undefined, job: TrainJob): TrainJob {
  return known && job.cache_status === 'NOT_IN_CACHE' ? { ...job, plugins: known.plugins } : job;
}
