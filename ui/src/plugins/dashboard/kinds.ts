import type { TrainJob } from '@/api/train_jobs';

/** One kind of data that a job has. */
export interface Kind {
  /** The server's plugin. */
  readonly name: string;
  readonly tags: readonly string[];
  /** The page that shows it; null while there is none. */
  readonly page: string | null;
}

/** What people look at first comes first; the rest follows in the alphabet's order. */
const ORDER = ['scalar', 'image', 'histogram', 'tensor', 'text', 'audio', 'graph', 'optimized_graph'];

export interface ShownPage {
  readonly name: string;
  readonly data: readonly string[];
}

/** The kinds of data of a job; an optimized graph stands beside its graph only where it is alone. */
export function kindsOf(job: Pick<TrainJob, 'plugins'>, pages: readonly ShownPage[]): Kind[] {
  const place = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return Object.entries(job.plugins)
    .filter(([name, tags]) => tags.length > 0 && !(name === 'optimized_graph' && 'graph' in job.plugins))
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([name, tags]) => ({
      name, tags, page: pages.find((page) => page.name === name || page.data.includes(name))?.name ?? null,
    }));
}
