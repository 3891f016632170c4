import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchRunIds, type RunsQuestion, type TrainJob } from '@/api/train_jobs';
import { stableHash, styleColor } from '@/base/job_colors';
import { withNames } from '@/base/job_query';

import { useAnnotations } from './annotations';
import { jobName } from './job_name';
import { usePreferences } from './preferences';
import { useRunQuery, type RunQuery } from './run_query';
import { useRunStyles } from './run_styles';
import { useTrainJobs } from './train_jobs';

export type Choice =
  | { readonly kind: 'newest' }
  /** All runs that match this filter, also later ones. */
  | { readonly kind: 'matching'; readonly filter: string }
  | { readonly kind: 'list'; readonly trainIds: readonly string[] };

export type Shortfall =
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'limit'; readonly count: number; readonly of: number };

const NEWEST = 10;

/** With more runs, only the first are drawn. */
export const MOST_DRAWN = 1_000;

/** Of a folder whose runs are not all listed. */
export const MOST_SELECTED = 10_000;

const idsOf = (jobs: readonly TrainJob[]): string[] => jobs.map((job) => job.train_id);

/** Equal lists keep their identity, so that dependents don't update. */
const kept = (before: readonly string[] | undefined, now: readonly string[]): readonly string[] =>
  before?.length === now.length && now.every((id, i) => id === before[i]) ? before : now;

/** The selected runs, which of them are visible, and their colors. Shared by all pages. */
export const useSelection = defineStore('selection', () => {
  const jobs = useTrainJobs();
  const annotations = useAnnotations();
  const preferences = usePreferences();

  const filter = ref('');
  const choice = shallowRef<Choice>({ kind: 'newest' });
  const query = useRunQuery(() => filter.value, { typing: true });
  const choiceQuery = useRunQuery(
    () => (choice.value.kind === 'matching' ? choice.value.filter : ''),
    { typing: false },
  );

  const showArchived = ref(false);
  const isArchived = (job: TrainJob): boolean =>
    annotations.byId.get(job.train_id)?.hidden === true;

  function matchesOf({ matcher, fields }: RunQuery): readonly TrainJob[] {
    const matches = matcher();
    const archived = showArchived.value || fields.value.includes('hidden');
    if (matches === null && (archived || annotations.byId.size === 0))
      return jobs.newestCreatedFirst;
    return jobs.newestCreatedFirst.filter(
      (job) => (archived || !isArchived(job)) && (matches?.(job) ?? true),
    );
  }

  const matching = computed(() =>
    jobs.window === null
      ? matchesOf(query)
      : jobs.window.ids.flatMap((id) => jobs.byId.get(id) ?? []),
  );
  const matchCount = computed(() => jobs.window?.matching ?? matching.value.length);

  const questionOf = (filter: string): RunsQuestion => ({
    filter,
    archived: showArchived.value,
  });
  /** For the server: the runs that match. */
  const matchQuestion = computed(() => questionOf(query.complete.value));
  /** For the server: the runs that are selected by a rule; null: by a list. */
  const ruleQuestion = computed<RunsQuestion | null>(() => {
    switch (choice.value.kind) {
      case 'newest':
        return { order: ['-updated'], limit: NEWEST };
      case 'matching':
        return {
          ...questionOf(choice.value.filter),
          order: ['-created'],
          limit: MOST_SELECTED,
        };
      case 'list':
        return null;
    }
  });
  const ruleKey = computed(() => JSON.stringify(ruleQuestion.value));
  /** The server's latest answer, if not all runs are listed. */
  const ruleAnswer = shallowRef<{ readonly key: string; readonly ids: readonly string[] }>({
    key: '',
    ids: [],
  });
  /** Selected runs of which some may not be listed, or not exist. */
  const selectedIds = computed(() =>
    choice.value.kind === 'list' ? choice.value.trainIds : ruleAnswer.value.ids,
  );
  /** Whether the server has yet to name the selected runs. */
  const isAwaited = computed(
    () =>
      jobs.window !== null &&
      choice.value.kind !== 'list' &&
      ruleAnswer.value.key !== ruleKey.value,
  );

  const selected = computed<readonly string[]>((before) => kept(before, selectedNow()));

  function selectedNow(): readonly string[] {
    const wanted = choice.value;
    if (jobs.window !== null) return selectedOf(selectedIds.value);
    if (wanted.kind === 'matching')
      return idsOf(
        wanted.filter === query.complete.value ? matching.value : matchesOf(choiceQuery),
      );
    const ids = new Set(
      wanted.kind === 'list'
        ? wanted.trainIds
        : idsOf(jobs.lastUpdatedFirst.filter((job) => !isArchived(job)).slice(0, NEWEST)),
    );
    return idsOf(jobs.newestCreatedFirst.filter((job) => ids.has(job.train_id)));
  }

  /** The listed ones, then those beyond the ones that are listed for charts. */
  function selectedOf(trainIds: readonly string[]): readonly string[] {
    const ids = new Set(trainIds);
    return [
      ...idsOf(jobs.newestCreatedFirst.filter((job) => ids.has(job.train_id))),
      ...trainIds.slice(MOST_DRAWN).filter((id) => !jobs.byId.has(id)),
    ];
  }

  const selectedSet = computed<ReadonlySet<string>>(() => new Set(selected.value));

  /** Runs that the eye hides from charts. */
  const hidden = shallowRef<ReadonlySet<string>>(new Set());

  /** Runs that a link shows, selected or not, until its page is left. */
  const shown = shallowRef<ReadonlySet<string>>(new Set());
  const shownBeside = computed<readonly string[]>(() =>
    [...shown.value].filter((id) => jobs.byId.has(id) && !selectedSet.value.has(id)),
  );
  /** The selected runs, and those that a link shows. */
  const present = computed<readonly string[]>(() =>
    shownBeside.value.length === 0 ? selected.value : [...selected.value, ...shownBeside.value],
  );

  /** The runs that charts draw: selected and not hidden, or shown by a link. */
  const visible = computed<readonly string[]>((before) => kept(before, visibleNow()));

  function visibleNow(): readonly string[] {
    const ids =
      hidden.value.size === 0
        ? selected.value
        : selected.value.filter((id) => !hidden.value.has(id));
    if (shown.value.size === 0) return ids;
    // First, because of many only the first are drawn.
    const first = [...shown.value].filter((id) => jobs.byId.has(id));
    return [...new Set([...first, ...ids])];
  }

  const visibleSet = computed<ReadonlySet<string>>(() => new Set(visible.value));
  const hiddenCount = computed(
    () => selected.value.length - (visible.value.length - shownBeside.value.length),
  );

  const drawn = computed(() =>
    visible.value.length > MOST_DRAWN ? visible.value.slice(0, MOST_DRAWN) : visible.value,
  );

  const { styles, ownColors, ownColorsWith } = useRunStyles(present, () => jobs.complete);

  /** Colors by group or value, of `run_colors`; null: each run has its own. */
  const tint = shallowRef<((trainId: string) => string) | null>(null);

  const colorOf = (trainId: string): string =>
    annotations.of(trainId).colour ??
    tint.value?.(trainId) ??
    styleColor(styles.value.get(trainId) ?? stableHash(trainId), preferences.theme);

  /** Newly selected runs are visible. */
  function choose(next: Choice): void {
    const before = selectedSet.value;
    choice.value = next;
    edits = [];
    shortfall.value = null;
    if (hidden.value.size > 0)
      hidden.value = new Set(
        [...hidden.value].filter((id) => before.has(id) && selectedSet.value.has(id)),
      );
  }

  function select(next: Choice): void {
    choose(next);
    endShown();
  }

  const selectOnly = (trainIds: readonly string[]): void => select({ kind: 'list', trainIds });

  /** Clicks before the server named the selected runs. */
  let edits: readonly (() => void)[] = [];

  function edit(change: () => void): void {
    if (isAwaited.value) edits = [...edits, change];
    else change();
  }

  /** The server's answer to `ruleQuestion`. */
  function takeRuleIds(question: RunsQuestion, ids: readonly string[]): void {
    ruleAnswer.value = { key: JSON.stringify(question), ids };
    if (isAwaited.value) return;
    const due = edits;
    edits = [];
    for (const change of due) change();
  }

  /** The selected runs, also those whose rows are still to come. */
  const existingIds = (): readonly string[] =>
    jobs.window === null ? selected.value : selectedIds.value.filter((id) => !jobs.missing.has(id));

  /** Select or unselect runs, leaving the others. */
  function set(trainIds: readonly string[], selects: boolean): void {
    const touched = new Set(trainIds);
    edit(() => {
      const others = existingIds().filter((id) => !touched.has(id));
      choose({ kind: 'list', trainIds: selects ? [...others, ...touched] : others });
    });
  }
  const toggle = (trainId: string): void => set([trainId], !selectedSet.value.has(trainId));

  const selectMatching = (): void => select({ kind: 'matching', filter: query.complete.value });
  const selectNewest = (): void => select({ kind: 'newest' });

  /** Hide runs from charts, or show them again. */
  function hide(trainIds: readonly string[], hides: boolean): void {
    const next = new Set(hidden.value);
    const still = new Set(shown.value);
    const beside = new Set(shownBeside.value);
    for (const id of trainIds) {
      still.delete(id);
      if (hides && !beside.has(id)) next.add(id);
      else next.delete(id);
    }
    hidden.value = next;
    shown.value = still;
  }

  function endShown(): void {
    if (shown.value.size > 0) shown.value = new Set();
  }

  const showAll = (): void => {
    hidden.value = new Set();
  };

  const everyMatch = computed(
    () =>
      matching.value.length > 0 &&
      (choosesMatching.value || selected.value.length >= matchCount.value) &&
      matching.value.every((job) => selectedSet.value.has(job.train_id)),
  );
  const choosesMatching = computed(
    () => choice.value.kind === 'matching' && choice.value.filter === query.complete.value,
  );

  const someMatch = computed(() =>
    matching.value.some((job) => selectedSet.value.has(job.train_id)),
  );
  /** Whether runs are selected that the filter does not list. */
  const anyBeyond = computed(() => {
    if (query.complete.value === '' || choosesMatching.value) return false;
    const ids = new Set(idsOf(matching.value));
    return existingIds().some((id) => !ids.has(id));
  });

  /** Why not all runs were selected that were to be; null: nothing to say. */
  const shortfall = shallowRef<Shortfall | null>(null);

  async function matchingIds(): Promise<readonly string[]> {
    if (matching.value.length >= matchCount.value) return idsOf(matching.value);
    return (await fetchRunIds({ ...matchQuestion.value, limit: MOST_SELECTED })).train_ids;
  }

  /** Selected runs that the filter does not list stay selected. */
  async function toggleMatching(): Promise<void> {
    if (isAwaited.value) {
      edit(() => void toggleMatching());
      return;
    }
    if (!anyBeyond.value) {
      if (everyMatch.value) selectOnly([]);
      else selectMatching();
      return;
    }
    const wanted = matchCount.value;
    let ids: readonly string[];
    try {
      ids = await matchingIds();
    } catch (reason) {
      shortfall.value = { kind: 'failed', reason: apiMessage(reason) };
      return;
    }
    const touched = new Set(ids);
    const before = new Set(existingIds());
    const others = [...before].filter((id) => !touched.has(id));
    if (ids.every((id) => before.has(id))) {
      selectOnly(others);
      return;
    }
    const room = Math.max(0, MOST_SELECTED - others.length);
    selectOnly([...others, ...ids.slice(0, room)]);
    const added = Math.min(room, ids.length);
    if (added < wanted) shortfall.value = { kind: 'limit', count: added, of: wanted };
  }

  /** Add runs to the selection; one by a filter stays one. */
  function add(trainIds: readonly string[]): void {
    const more = trainIds.filter((id) => !selectedSet.value.has(id));
    const filter =
      choice.value.kind === 'matching' ? withNames(choice.value.filter, more.map(jobName)) : null;
    if (filter === null)
      edit(() => choose({ kind: 'list', trainIds: [...new Set([...existingIds(), ...more])] }));
    else choose({ kind: 'matching', filter });
  }

  return {
    filter,
    choice,
    literal: query.literal,
    question: query.question,
    begun: query.begun,
    unknownField: query.unknownField,
    showArchived,
    matching,
    matchCount,
    matchQuestion,
    ruleQuestion,
    takeRuleIds,
    selectedIds,
    isAwaited,
    selected,
    selectedSet,
    hidden,
    shown,
    shownBeside,
    present,
    endShown,
    hiddenCount,
    visible,
    visibleSet,
    drawn,
    styles,
    tint,
    colorOf,
    ownColors,
    ownColorsWith,
    set,
    toggle,
    selectOnly,
    selectMatching,
    selectNewest,
    hide,
    showAll,
    everyMatch,
    someMatch,
    anyBeyond,
    toggleMatching,
    shortfall,
    add,
  };
});
