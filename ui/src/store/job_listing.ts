import type { RunOverview, TrainJob, TrainJobPage } from '@/api/train_jobs';

export type Listing = ReadonlyMap<string, TrainJob>;

type FetchPage = (page: number, limit: number) => Promise<TrainJobPage>;

const SMALL_PAGE = 100;

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

/** Rows of these runs: the given ones, else those listed before. Unchanged rows keep their identity. */
export function keptRows(
  trainIds: Iterable<string>,
  rows: readonly TrainJob[],
  before: Listing,
): Listing {
  const given = new Map(rows.map((job) => [job.train_id, job]));
  const jobs = new Map<string, TrainJob>();
  for (const id of trainIds) {
    const [known, now] = [before.get(id), given.get(id)];
    const row = now && isNews(known, now) ? merged(known, now) : known;
    if (row) jobs.set(id, row);
  }
  const isSame =
    jobs.size === before.size && [...jobs].every(([id, row]) => before.get(id) === row);
  return isSame ? before : jobs;
}

/** What data a run has. */
export type RunKind = Pick<TrainJob, 'formats' | 'plugins' | 'lineage_files'>;

/** The kinds of data of all runs: those of each run, or one that has the data of all. */
export function kindsOf(jobs: Listing, overview: RunOverview | null): readonly RunKind[] {
  if (overview === null) return [...jobs.values()];
  const tags = Object.keys(overview.scalar_tags);
  const plugins = Object.keys(overview.plugins).map((name) => [name, ['']] as const);
  return [
    {
      formats: Object.keys(overview.formats).flatMap((formats) => formats.split(', ')),
      plugins: { ...Object.fromEntries(plugins), ...(tags.length > 0 && { scalar: tags }) },
      lineage_files: overview.lineages,
    },
  ];
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
