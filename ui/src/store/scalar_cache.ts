import { applyUpdate } from '@/api/append';
import { ApiError } from '@/api/client';
import type { ScalarAnswer, ScalarQuestion, ScalarSeries } from '@/api/scalars';
import { addTo } from '@/base/grouped';

import { followAside, type FetchAside } from './aside_points';
import { questionPieces } from './question_pieces';
import { detailOf, emptySlot, isOlder, type Slot } from './scalar_slot';
import { smoothingOf, tagsIn, windowOf, windowsOf, type Wanted } from './scalar_wanted';
import { isReduced, windowBounds, windowName, type Window } from './scalar_windows';

interface Batch {
  readonly question: ScalarQuestion;
  readonly window: string;
  readonly trainIds: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  cursor: string | null;
  /** The answers are at least as new as this version. */
  version: number;
  busy: boolean;
}

export interface ScalarSource {
  readonly scalars: (question: ScalarQuestion, since: string | null) => Promise<ScalarAnswer>;
  readonly aside: FetchAside;
}

const MAX_LIVE_BATCHES = 4;
/** Fewer series in the first request: the user waits for it. */
const FIRST_SERIES = 80;
const MAX_KEPT_POINTS = 4_000_000;

/** Fetches missing series, follows visible ones with cursors, evicts old ones. */
export class ScalarCache {
  private readonly slots = new Map<string, Slot>();
  private readonly failures = new Map<string, string>();
  private batches: Batch[] = [];
  private readonly wholeFrom = new WeakMap<Slot, Batch>();
  private readonly detailFrom = new WeakMap<Slot, Batch>();
  private wanted: Wanted = {
    tags: new Map(),
    trainIds: [],
    window: null,
    smoothing: '',
    has: () => false,
  };
  private version = -1;

  /** `changed` gets the tags whose series or failure changed. */
  constructor(
    private readonly source: ScalarSource,
    private readonly changed: (tags: ReadonlySet<string>) => void,
  ) {}

  get(trainId: string, tag: string): Slot | undefined {
    return this.slots.get(keyOf(trainId, tag));
  }

  /** Whether series of the tag are older than these settings. */
  isStale(tag: string, trainIds: readonly string[], window: Window, smoothing: string): boolean {
    if (this.failures.has(tag)) return false;
    return trainIds.some((id) => {
      const slot = this.get(id, tag);
      return !slot?.answered || isOlder(slot, window, smoothing);
    });
  }

  failure(tag: string): string | undefined {
    return this.failures.get(tag);
  }

  async look(wanted: Wanted): Promise<void> {
    // The points stay, with other values: show the old ones until the new arrive.
    this.batches = this.batches.filter(({ question }) =>
      question.tags.every((tag) => smoothingOf(wanted, tag) === (question.smoothing ?? '')),
    );
    if ((wanted.xTag ?? null) !== (this.wanted.xTag ?? null)) this.forgetAll();
    this.wanted = wanted;
    this.forget();
    await Promise.all([this.fetchMissing(), this.follow(this.version)]);
  }

  /** Fetch updates of all visible series. */
  async follow(version: number): Promise<void> {
    this.version = version;
    const stale = this.live().filter((batch) => !batch.busy && batch.version !== version);
    const least = questionPieces(this.wanted.trainIds, [...this.wanted.tags.keys()]).length;
    if (stale.length > Math.max(MAX_LIVE_BATCHES, least)) {
      // Merge into one request with one cursor; this fetches everything once.
      const merged = new Set(stale);
      this.batches = this.batches.filter((batch) => !merged.has(batch));
      await this.fetchMissing();
      return;
    }
    await Promise.all(stale.map((batch) => this.fetchBatch(batch)));
    await this.fetchMissing();
  }

  async retry(): Promise<void> {
    const tags = new Set(this.failures.keys());
    this.failures.clear();
    this.changed(tags);
    await this.fetchMissing();
  }

  /** The whole series is what zooming out shows; a window adds what it leaves out. */
  private async fetchMissing(): Promise<void> {
    const fetchWindows = (): Promise<unknown> =>
      Promise.all(windowsOf(this.wanted).map((window) => this.fetchMissingOf(window)));
    await Promise.all([this.fetchMissingOf(null), fetchWindows()]);
    // Now the start of each series is known, and which are reduced.
    await fetchWindows();
  }

  private async fetchMissingOf(window: Window): Promise<void> {
    const name = windowName(window);
    const groups = new Map<
      string,
      { bounds: object; maxPoints: number; smoothing: string; ids: string[]; tags: string[] }
    >();
    const covering = this.batches.filter((batch) => batch.window === name);
    for (const [tag, maxPoints] of tagsIn(this.wanted, name)) {
      if (this.failures.has(tag)) continue;
      const missing = this.wanted.trainIds.filter(
        (id) =>
          this.wanted.has(id, tag) &&
          !covering.some((batch) => covers(batch, tag, maxPoints) && batch.trainIds.has(id)),
      );
      for (const [boundsName, ids] of this.byBounds(missing, tag, window)) {
        const smoothing = smoothingOf(this.wanted, tag);
        const group = `${boundsName} ${maxPoints} ${smoothing} ${JSON.stringify(ids)}`;
        const known = groups.get(group);
        if (known) known.tags.push(tag);
        else
          groups.set(group, {
            bounds: JSON.parse(boundsName) as object,
            maxPoints,
            smoothing,
            ids,
            tags: [tag],
          });
      }
    }
    const first = this.slots.size === 0 ? FIRST_SERIES : undefined;
    await Promise.all(
      [...groups.values()].flatMap((group) =>
        questionPieces(group.ids, group.tags, first).map(([trainIds, tags]) =>
          this.fetchBatch(
            this.newBatch(
              {
                trainIds,
                tags,
                maxPoints: group.maxPoints,
                ...group.bounds,
                ...this.processing(group.smoothing),
              },
              name,
            ),
          ),
        ),
      ),
    );
  }

  private processing(smoothing: string): Pick<ScalarQuestion, 'smoothing' | 'xTag'> {
    const { xTag = null } = this.wanted;
    return { ...(smoothing !== '' && { smoothing }), ...(xTag !== null && { xTag }) };
  }

  /** Jobs by equal bounds, which differ for relative windows; without jobs that need no window. */
  private byBounds(
    trainIds: readonly string[],
    tag: string,
    window: Window,
  ): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const id of trainIds) {
      if (window !== null && !this.reduces(id, tag)) continue;
      const bounds = windowBounds(window, this.get(id, tag)?.whole?.wall_time[0] ?? null);
      if (bounds === null) continue;
      const name = JSON.stringify(bounds);
      addTo(groups, name, id);
    }
    return groups;
  }

  private reduces(trainId: string, tag: string): boolean {
    const whole = this.get(trainId, tag)?.whole;
    return whole ? isReduced(whole) : false;
  }

  private newBatch(question: ScalarQuestion, window: string): Batch {
    const batch: Batch = {
      question,
      window,
      trainIds: new Set(question.trainIds),
      tags: new Set(question.tags),
      cursor: null,
      version: -1,
      busy: false,
    };
    this.batches.push(batch);
    return batch;
  }

  private async fetchBatch(batch: Batch): Promise<void> {
    batch.busy = true;
    // Changes after this are newer than the answer: they are fetched again.
    const version = this.version;
    const touched = new Set<string>();
    try {
      const answer = await this.source.scalars(batch.question, batch.cursor);
      if (!this.batches.includes(batch)) return;
      const from = batch.window === '' ? this.wholeFrom : this.detailFrom;
      let grown = false;
      let overtaken = false;
      for (const update of answer.series) {
        const slot = this.slot(update.train_id, update.tag);
        if (!update.reset && from.get(slot) !== batch) {
          overtaken = true;
          continue;
        }
        from.set(slot, batch);
        const before = batch.window === '' ? slot.whole : detailOf(slot, batch.window);
        const after = applyUpdate(before ?? undefined, update);
        grown ||= after.step.length > 2 * batch.question.maxPoints;
        if (batch.window === '') {
          slot.whole = after;
          slot.wholeSmoothing = batch.question.smoothing ?? '';
          void this.findAside(slot, after);
        } else if (batch.window === windowName(windowOf(this.wanted, update.tag))) {
          slot.detail = after;
          slot.detailOf = batch.window;
          slot.detailSmoothing = batch.question.smoothing ?? '';
        }
        if (update.reset || update.step.length > 0 || update.truncate_from_step !== null) {
          touched.add(update.tag);
        }
      }
      if (batch.cursor === null) {
        for (const tag of batch.question.tags) {
          touched.add(tag);
          for (const id of batch.trainIds) this.slot(id, tag).answered = true;
        }
      }
      // After many appended points, the next answer reduces the series again.
      batch.cursor = grown || overtaken ? null : answer.cursor;
      batch.version = overtaken ? -1 : version;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (!this.batches.includes(batch)) return;
      this.failed(batch, reason, touched);
    } finally {
      batch.busy = false;
    }
    if (touched.size > 0) this.changed(touched);
  }

  private async findAside(slot: Slot, series: ScalarSeries): Promise<void> {
    if (await followAside(slot, series, this.source.aside)) this.changed(new Set([series.tag]));
  }

  private failed(batch: Batch, reason: ApiError, touched: Set<string>): void {
    // Old data is better than an error: fail only if nothing was shown.
    if (batch.cursor !== null && reason.unreachable) return;
    this.batches = this.batches.filter((other) => other !== batch);
    for (const tag of batch.question.tags) {
      this.failures.set(tag, reason.message);
      touched.add(tag);
    }
  }

  private slot(trainId: string, tag: string): Slot {
    const key = keyOf(trainId, tag);
    const known = this.slots.get(key);
    if (known) return known;
    const slot = emptySlot();
    this.slots.set(key, slot);
    return slot;
  }

  private forgetAll(): void {
    this.batches = [];
    this.slots.clear();
    this.failures.clear();
    this.changed(new Set(this.wanted.tags.keys()));
  }

  /** Batches with visible series: of a window, or wholes that are not reduced. */
  private live(): Batch[] {
    return this.batches.filter((batch) => {
      const ids = this.wanted.trainIds.filter((id) => batch.trainIds.has(id));
      return [...tagsIn(this.wanted, batch.window)].some(
        ([tag, maxPoints]) =>
          covers(batch, tag, maxPoints) &&
          (batch.window === windowName(windowOf(this.wanted, tag))
            ? ids.length > 0
            : ids.some((id) => !this.reduces(id, tag))),
      );
    });
  }

  /** Evict details of other windows, and the oldest series over the limit. */
  private forget(): void {
    const names = new Set(['', ...windowsOf(this.wanted).map(windowName)]);
    this.batches = this.batches.filter((batch) => names.has(batch.window));
    let points = 0;
    for (const slot of this.slots.values()) points += slot.whole?.step.length ?? 0;
    if (points <= MAX_KEPT_POINTS) return;
    for (const [key, slot] of this.slots) {
      if (points <= MAX_KEPT_POINTS / 2) break;
      const tag = key.slice(key.indexOf('\0') + 1);
      if (this.wanted.tags.has(tag)) continue;
      points -= slot.whole?.step.length ?? 0;
      this.slots.delete(key);
    }
    this.batches = this.batches.filter((batch) =>
      batch.question.tags.every((tag) => batch.question.trainIds.some((id) => this.get(id, tag))),
    );
  }
}

function keyOf(trainId: string, tag: string): string {
  return `${trainId}\0${tag}`;
}

function covers({ question, tags }: Batch, tag: string, maxPoints: number): boolean {
  return question.maxPoints === maxPoints && tags.has(tag);
}
