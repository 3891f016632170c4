import type { Preview, Previews } from '@/cards/preview';
import type { TrainJob } from '@/api/train_jobs';
import { paths } from '@/icons/paths';

import type { Plugin } from '../../plugin';
import { dataOf, plugins } from '../../registry';

export interface Kind {
  readonly name: string;
  readonly tags: readonly string[];
  readonly page: string | null;
  readonly icon: string;
  readonly preview: Preview | null;
}

const previews = new Map(
  Object.values(
    import.meta.glob<Previews>('../../*/preview.ts', {
      eager: true,
      import: 'previews',
    }),
  ).flatMap((some) => Object.entries(some)),
);

/** The page named like the kind, else the first that shows it, else the one for all other data. */
function pageOf(kind: string) {
  return (
    plugins.find(({ name }) => name === kind) ??
    plugins.find((plugin) => dataOf(plugin).includes(kind)) ??
    plugins.find(({ rest }) => rest)
  );
}

const rank = (page: Plugin | null | undefined): number => (page ? plugins.indexOf(page) : -1);

const ofEveryRun: readonly [string, readonly string[]][] = [...previews].flatMap(
  ([name, preview]) => (preview?.always ? [[name, []]] : []),
);

export const kindsOf = (job: Pick<TrainJob, 'plugins'>): Kind[] =>
  Object.entries(job.plugins)
    .filter(([name, tags]) => {
      const preview = previews.get(name);
      if (preview === null || tags.length === 0) return false;
      return preview?.unless === undefined || !(preview.unless in job.plugins);
    })
    .concat(ofEveryRun)
    .map(([name, tags]) => ({
      name,
      tags,
      page: pageOf(name),
      preview: previews.get(name) ?? null,
    }))
    .sort((a, b) => rank(a.page) - rank(b.page) || (a.name < b.name ? -1 : 1))
    .map((kind) => ({
      ...kind,
      page: kind.page?.name ?? null,
      icon: kind.page?.icon ?? paths.table,
    }));
