import type { TrainJob } from '@/api/train_jobs';

/** Libraries that write logs, by what users call them. */
export const WRITERS = {
  torch: 'PyTorch',
  tensorflow: 'TensorFlow',
  mindspore: 'MindSpore, mindviz',
  visualdl: 'VisualDL',
} as const;

export type Writer = keyof typeof WRITERS;

/** How to log a kind of data, for each library that can. */
export type Logging = Readonly<Partial<Record<Writer, string>>>;

type Logged = Pick<TrainJob, 'formats' | 'plugins'>;

/** The libraries that wrote these runs; all if that is unknown. */
export function writersOf(jobs: Iterable<Logged>): Writer[] {
  const found = new Set<Writer>();
  for (const job of jobs) {
    if (job.formats.includes('mindspore')) found.add('mindspore');
    if (job.formats.includes('visualdl')) found.add('visualdl');
    if (job.formats.includes('tensorboard')) found.add(isKeras(job) ? 'tensorflow' : 'torch');
  }
  const all = Object.keys(WRITERS) as Writer[];
  return found.size > 0 ? all.filter((writer) => found.has(writer)) : all;
}

/** Keras' callback names its tags; other writers of TensorBoard's format leave no trace. */
const isKeras = ({ plugins }: Logged): boolean =>
  Object.values(plugins).some((tags) => tags.some((tag) => /^(?:epoch|batch)_|^keras$/.test(tag)));
