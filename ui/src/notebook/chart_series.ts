import { shallowReactive } from 'vue';

import { applyUpdate } from '@/api/append';
import { scalarsQuery, type ScalarAnswer, type ScalarQuestion } from '@/api/scalars';
import { seriesOfArrow } from '@/api/scalars_arrow';
import { addTo } from '@/base/grouped';
import { questionPieces } from '@/store/question_pieces';
import { emptySlot, type Slot } from '@/store/scalar_slot';
import { isReduced, windowBounds, windowName, type Window } from '@/store/scalar_windows';

import type { Kernel } from './kernel';

const POINTS = 1_000;
/** Points of all series in a window; few series have all of them. */
const WINDOW_BUDGET = 120_000;

/** The series of one view of a chart. */
export class ChartSeries {
  private readonly slots = shallowReactive(new Map<string, Slot>());
  private window: Window = null;
  /** Whether the kernel sends points of a window. */
  private isDetailed = false;
  private smoothing = '';

  constructor(
    private readonly kernel: Kernel,
    private readonly trainIds: readonly string[],
    private readonly tags: readonly string[],
  ) {
    for (const part of ['whole', 'detail'] as const)
      kernel.on(part, (bytes) => this.receive(part, seriesOfArrow(bytes)));
  }

  slot(trainId: string, tag: string): Slot | undefined {
    return this.slots.get(keyOf(trainId, tag));
  }

  request(smoothing: string): void {
    this.smoothing = smoothing;
    this.kernel.request('whole', this.questions(this.trainIds, POINTS).map(scalarsQuery));
    this.requestWindow(this.window);
  }

  /** Requests what the whole series leave out of a window. */
  requestWindow(window: Window): void {
    this.window = window;
    const groups = new Map<string, string[]>();
    if (window !== null) {
      for (const trainId of this.trainIds) {
        const wholes = this.tags.flatMap((tag) => this.slot(trainId, tag)?.whole ?? []);
        const bounds = windowBounds(window, wholes[0]?.wall_time[0] ?? null);
        if (bounds !== null && wholes.some(isReduced))
          addTo(groups, JSON.stringify(bounds), trainId);
      }
    }
    const series = Math.max(1, this.trainIds.length * this.tags.length);
    const maxPoints = Math.max(POINTS, Math.floor(WINDOW_BUDGET / series));
    const questions = [...groups].flatMap(([bounds, ids]) =>
      this.questions(ids, maxPoints, JSON.parse(bounds) as Partial<ScalarQuestion>),
    );
    const isDetailed = questions.length > 0;
    if (isDetailed || this.isDetailed) this.kernel.request('detail', questions.map(scalarsQuery));
    this.isDetailed = isDetailed;
  }

  private questions(
    ids: readonly string[],
    maxPoints: number,
    bounds: Partial<ScalarQuestion> = {},
  ): ScalarQuestion[] {
    const { smoothing } = this;
    return questionPieces(ids, this.tags).map(([trainIds, tags]) => ({
      trainIds,
      tags,
      maxPoints,
      ...bounds,
      ...(smoothing !== '' && { smoothing }),
    }));
  }

  private receive(part: 'whole' | 'detail', { series }: ScalarAnswer): void {
    const detailOf = windowName(this.window);
    for (const update of series) {
      const key = keyOf(update.train_id, update.tag);
      const slot = this.slots.get(key) ?? emptySlot();
      const before =
        part === 'whole' ? slot.whole : slot.detailOf === detailOf ? slot.detail : null;
      const after = applyUpdate(before ?? undefined, update);
      this.slots.set(
        key,
        part === 'whole' ? { ...slot, whole: after } : { ...slot, detail: after, detailOf },
      );
    }
    // Only now it is known where runs begin, and which series are reduced.
    if (part === 'whole' && this.window !== null && series.some(({ reset }) => reset))
      this.requestWindow(this.window);
  }
}

const keyOf = (trainId: string, tag: string): string => `${trainId}\0${tag}`;
