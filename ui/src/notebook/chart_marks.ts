import { computed, shallowRef } from 'vue';

import { marksQuery, type MarksOfRuns } from '@/api/findings';
import { eventsOf, finiteRules, MOST_RUNS, seriesKey, type Anomaly } from '@/store/rule_events';

import type { Kernel } from './kernel';

const NONE: readonly Anomaly[] = [];

/** What the rules found in the series of one view of a chart. */
export class ChartMarks {
  private readonly marks = shallowRef<MarksOfRuns>({});
  private readonly bySeries = computed(() => eventsOf(finiteRules(this.marks.value)));

  constructor(
    private readonly kernel: Kernel,
    private readonly trainIds: readonly string[],
  ) {
    const decoder = new TextDecoder();
    kernel.on('marks', (bytes) => {
      this.marks.value = JSON.parse(decoder.decode(bytes)) as MarksOfRuns;
    });
  }

  request(): void {
    if (this.trainIds.length <= MOST_RUNS)
      this.kernel.request('marks', [marksQuery(this.trainIds)]);
  }

  of(trainId: string, tag: string): readonly Anomaly[] {
    return this.bySeries.value.get(seriesKey(trainId, tag)) ?? NONE;
  }
}
