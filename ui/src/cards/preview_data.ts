import { computed, type ComputedRef, type ShallowRef } from 'vue';

import { getJson } from '@/api/client';
import { fetchSeries, type Series } from '@/api/series';
import { useAnswer } from '@/store/answer';
import { useTrainJobs } from '@/store/train_jobs';

interface Place {
  readonly trainId: string;
  readonly tag: string;
}

export interface PreviewAnswer<Value, Where> {
  readonly value: Readonly<ShallowRef<Value | null>>;
  /** Props of a `PreviewRow`, `PreviewRows` or `PreviewFigure`. */
  readonly frame: ComputedRef<
    Where & { problem: string | null; waiting: boolean; onRetry: () => void }
  >;
}

/** The answer to a question about one run, requested again when the run has grown. */
export function usePreview<Where extends { readonly trainId: string }, Value>(
  where: () => Where,
  fetch: (where: Where) => Promise<Value>,
): PreviewAnswer<Value, Where> {
  const jobs = useTrainJobs();
  const { value, problem, waiting, ask } = useAnswer(
    where,
    fetch,
    () => jobs.byId.get(where().trainId)?.version,
  );
  const frame = computed(() => ({
    ...where(),
    problem: problem.value,
    waiting: waiting.value && value.value === null,
    onRetry: ask,
  }));
  return { value, frame };
}

export const useNewest = <Kind extends Series>(
  pluginName: string,
  props: Place,
): PreviewAnswer<Kind, Place> =>
  usePreview(
    () => ({ trainId: props.trainId, tag: props.tag }),
    ({ trainId, tag }) => fetchSeries<Kind>(pluginName, trainId, tag, null, 1),
  );

export const useOverview = <Value>(
  pluginName: string,
  props: Pick<Place, 'trainId'>,
): PreviewAnswer<Value, Pick<Place, 'trainId'>> =>
  usePreview(
    () => ({ trainId: props.trainId }),
    ({ trainId }) => getJson<Value>(`series/${pluginName}/overview`, { train_id: [trainId] }),
  );
