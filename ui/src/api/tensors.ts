import { getBytes, readAnswer } from './client';
import { readNumpy, type NumpyArray } from './npy';
import { seriesRoute } from './series';

export async function fetchNumpy(
  plugin: string,
  trainId: string,
  tag: string,
  step: number,
  dims: string,
): Promise<NumpyArray> {
  const bytes = await getBytes(seriesRoute(plugin, 'npy'), { train_id: trainId, tag, step, dims });
  return readAnswer(() => readNumpy(bytes));
}
