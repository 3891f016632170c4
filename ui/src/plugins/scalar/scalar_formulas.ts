import { getBytes, orNothing, readAnswer } from '@/api/client';
import type { ScalarQuestion, ScalarSeries } from '@/api/scalars';
import { seriesOfArrow } from '@/api/scalars_arrow';

/** `tags` are formulas. */
export type FormulaQuestion = ScalarQuestion;

/**
 * Series computed over all points, before ranges and reduction. The `tag` is the formula; jobs that
 * lack a tag of it are left out.
 */
export async function fetchFormulas(question: FormulaQuestion): Promise<readonly ScalarSeries[]> {
  const answer = getBytes('datavisual/scalars/formulas', {
    train_id: question.trainIds,
    formula: question.tags,
    max_points: question.maxPoints,
    start_step: question.startStep,
    end_step: question.endStep,
    start_time: question.startTime,
    end_time: question.endTime,
    smoothing: question.smoothing,
    x_tag: question.xTag,
    start_x: question.startX,
    end_x: question.endX,
    format: 'arrow',
  });
  const bytes = await orNothing(answer);
  return bytes === null ? [] : readAnswer(() => seriesOfArrow(bytes)).series;
}
