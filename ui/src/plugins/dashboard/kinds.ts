import type { TrainJob } from '@/api/train_jobs';
import type { IconName } from '@/icons/paths';

/** One kind of data that a job has. */
export interface Kind {
  /** The server's plugin. */
  readonly name: string;
  readonly tags: readonly string[];
  /** The page that shows it; null where none does. */
  readonly page: string | null;
  /** That of its page. */
  readonly icon: IconName;
}

/** What people look at first comes first; the rest follows in the alphabet's order. */
const ORDER = [
  'scalar',
  'image',
  'histogram',
  'tensor',
  'text',
  'audio',
  'graph',
  'optimized_graph',
];

export interface ShownPage {
  readonly name: string;
  readonly icon: IconName;
  readonly data: readonly string[];
}

/** The page that is called as the kind; else the first that shows it, or whatever no other page does. */
function pageOf(kind: string, pages: readonly ShownPage[]): ShownPage | undefined {
  return (
    pages.find(({ name }) => name === kind) ??
    pages.find(({ data }) => data.includes(kind)) ??
    pages.find(({ name }) => name === 'other')
  );
}

/** The kinds of data of a job; an optimized graph stands beside its graph only where it is alone. */
export function kindsOf(job: Pick<TrainJob, 'plugins'>, pages: readonly ShownPage[]): Kind[] {
  const place = (name: string): number =>
    ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length;
  return Object.entries(job.plugins)
    .filter(
      ([name, tags]) => tags.length > 0 && !(name === 'optimized_graph' && 'graph' in job.plugins),
    )
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([name, tags]) => {
      const page = pageOf(name, pages);
      return { name, tags, page: page?.name ?? null, icon: page?.icon ?? 'table' };
    });
}
