import type { TrainJob } from '@/api/train_jobs';

const CALLED: Readonly<Record<string, string>> = {
  mindspore: 'MindSpore',
  tensorboard: 'TensorBoard',
  visualdl: 'VisualDL',
};

type Counted = Pick<TrainJob, 'formats' | 'summary_files' | 'graph_files' | 'lineage_files'>;

/** Numbers of files by format, largest first; files of runs with several formats count together. */
export function fileCounts(jobs: Iterable<Counted>): { format: string; n: number }[] {
  const counts = new Map<string, number>();
  for (const { formats, summary_files, graph_files, lineage_files } of jobs) {
    if (formats.length === 0) continue; // none of its files is read yet
    const format = formats.map((name) => CALLED[name] ?? name).join(' + ');
    counts.set(format, (counts.get(format) ?? 0) + summary_files + graph_files + lineage_files);
  }
  return [...counts].map(([format, n]) => ({ format, n })).sort((a, b) => b.n - a.n);
}
