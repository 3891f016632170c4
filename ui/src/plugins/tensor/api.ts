import { fileUrl, getJson } from '@/api/client';
import { contractTag } from '@/api/tags';

/** Of a part, and with `overall_` of the whole tensor; null: nothing is finite. */
export type TensorStatistics = Readonly<Record<string, number | null>>;

export interface TensorPart<Elements> {
  readonly dims: readonly number[];
  readonly data_type: string;
  readonly data: Elements;
  readonly statistics: TensorStatistics | null;
}

interface TensorAnswer<Value> {
  readonly tensors: readonly {
    readonly values: readonly {
      readonly step: number;
      readonly wall_time: number;
      readonly value: Value;
    }[];
  }[];
}

/** The part `dims`, e.g. `[0,:,2:5]`, of the tensor at a step. */
export async function fetchTensorPart<Elements>(
  trainId: string,
  tag: string,
  step: number,
  dims: string,
): Promise<TensorPart<Elements> | null> {
  const answer = await getJson<TensorAnswer<TensorPart<Elements>>>('datavisual/tensors', {
    train_id: trainId,
    tag: contractTag('tensor', tag),
    detail: 'data',
    step,
    dims,
  });
  return answer.tensors[0]?.values[0]?.value ?? null;
}

export interface StepStatistics {
  readonly step: number;
  readonly wall_time: number;
  readonly value: { readonly statistics: TensorStatistics | null };
}

export async function fetchTensorStatistics(
  trainId: string,
  tag: string,
): Promise<readonly StepStatistics[]> {
  const answer = await getJson<TensorAnswer<StepStatistics['value']>>('datavisual/tensors', {
    train_id: trainId,
    tag: contractTag('tensor', tag),
    detail: 'stats',
  });
  return answer.tensors[0]?.values ?? [];
}

export const tensorFileUrl = (trainId: string, tag: string, step: number): string =>
  fileUrl('series/tensor/npy', { train_id: trainId, tag, step });
