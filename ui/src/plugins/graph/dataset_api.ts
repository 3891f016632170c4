import { getJson } from '@/api/client';
import type { DatasetNode } from '@/api/lineage';

export async function fetchDatasetGraph(trainId: string): Promise<DatasetNode | null> {
  const answer = await getJson<{ dataset_graph?: DatasetNode }>('datasets/dataset_graph', {
    train_id: trainId,
  });
  return answer.dataset_graph ?? null;
}
