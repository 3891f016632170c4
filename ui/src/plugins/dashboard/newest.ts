import { getJson } from '@/api/client';
import { fetchSeries, type Series } from '@/api/series';
import { useAnswer, type Answer } from '@/store/answer';
import { useTrainJobs } from '@/store/train_jobs';

/** What a job says now, and when it has grown. */
export function useJobAnswer<Question extends object, Value>(
  trainId: () => string,
  question: () => Question,
  fetch: (question: Question & { trainId: string }) => Promise<Value>,
): Answer<Value> {
  const jobs = useTrainJobs();
  return useAnswer(
    () => ({ ...question(), trainId: trainId() }),
    fetch,
    () => jobs.byId.get(trainId())?.version,
  );
}

/** The newest step of a tag: a glimpse needs no other. */
export function useNewest<Kind extends Series>(
  pluginName: string,
  trainId: () => string,
  tag: () => string,
): Answer<Kind> {
  return useJobAnswer(
    trainId,
    () => ({ tag: tag() }),
    (one) => fetchSeries<Kind>(pluginName, one.trainId, one.tag, null, 1),
  );
}

/** What a plugin says of a job as a whole. */
export function useOverview<Value>(pluginName: string, trainId: () => string): Answer<Value> {
  return useJobAnswer(
    trainId,
    () => ({}),
    (one) => getJson<Value>(`series/${pluginName}/overview`, { train_id: [one.trainId] }),
  );
}
