import { getJson } from '@/api/client';
import type { DatasetNode } from '@/api/lineage';

export async function fetchDatasetGraph(trainId: string): Promise<DatasetNode | null> {
  const answer = await getJson<{ dataset_graph?: DatasetNode }>('datasets/dataset_graph', {
    train_id: trainId,
  });
  return answer.dataset_graph ?? null;
}

/** The jobs that have a dataset graph. */
export async function fetchDatasetJobs(): Promise<readonly string[]> {
  const { train_ids } = await getJson<{ train_ids: readonly string[] }>('datasets/train_jobs');
  return train_ids;
}
