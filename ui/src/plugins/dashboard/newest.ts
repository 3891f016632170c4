import { fetchSeries, type Series } from '@/api/series';
import { useAnswer, type Answer } from '@/store/answer';
import { useTrainJobs } from '@/store/train_jobs';

/** The newest step of a tag, asked for anew when its job has grown: a glimpse needs no other. */
export function useNewest<Kind extends Series>(pluginName: string, trainId: () => string, tag: () => string): Answer<Kind> {
  const jobs = useTrainJobs();
  return useAnswer(
    () => ({ trainId: trainId(), tag: tag(), version: jobs.byId.get(trainId())?.version }),
    (question) => fetchSeries<Kind>(pluginName, question.trainId, question.tag, null, 1),
  );
}
