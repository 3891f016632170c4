import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, watch } from 'vue';

import { apiMessage } from '@/api/client';
import {
  fetchRunGroups,
  fetchRunIds,
  fetchRunOverview,
  fetchRunRows,
  type RunRows,
  type RunsQuestion,
} from '@/api/train_jobs';
import { dueOf } from '@/base/due';
import { withSeverity, writeSorting } from '@/base/sorting';

import { useAnnotations } from './annotations';
import { useIssues } from './issues';
import { useLive } from './live';
import { useRunOrder } from './run_order';
import { MOST_DRAWN, useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

const PAGE = 500;
/** Milliseconds between overviews while runs change. */
const OVERVIEW_EVERY = 3_000;
/** Milliseconds after a note: the server has others of the same change to save. */
const NOTED = 200;
/** Milliseconds between requests of rows while the server checks runs. */
const CHECKED_EVERY = 5_000;

/** Of folders with many runs, the page has the first rows of those that match, and the selected runs. */
export const useRunWindow = defineStore('run_window', () => {
  const annotations = useAnnotations();
  const issues = useIssues();
  const jobs = useTrainJobs();
  const live = useLive();
  const order = useRunOrder();
  const selection = useSelection();

  /** Whether the rows are older than filter and order. */
  const waiting = ref(false);
  const problem = ref<string | null>(null);
  const isOn = computed(() => jobs.window !== null);

  /** What the rows of the table answer. */
  const question = computed<RunsQuestion | null>(() =>
    isOn.value
      ? {
          ...selection.matchQuestion,
          order: ['-pinned', ...writeSorting(withSeverity(order.sorting))],
        }
      : null,
  );
  let latest = 0;
  /** Of the rows. */
  const version = ref(-1);
  /** Whether the first rows have arrived. */
  const isListed = computed(() => version.value >= 0);

  /** Show the first rows of the current question. */
  async function show(count = PAGE): Promise<void> {
    const turn = ++latest;
    await ask(turn, 0, count, ({ train_jobs, matching }) => {
      place(
        train_jobs.map(({ train_id: id }) => id),
        matching,
        train_jobs,
      );
    });
    if (turn === latest) waiting.value = false;
  }

  /** Show the next page, too. */
  async function more(): Promise<void> {
    const window = jobs.window;
    if (window === null || waiting.value || isBusy || !hasMore.value) return;
    const { ids } = window;
    const asked = JSON.stringify(question.value);
    isBusy = true;
    const isCurrent = await ask(latest, ids.length, PAGE, (page) => {
      // Rows of another version can be on two pages or on none.
      if (jobs.window !== window || page.data_version !== version.value)
        void show(ids.length + PAGE);
      else
        place(
          [...new Set([...ids, ...page.train_jobs.map(({ train_id: id }) => id)])],
          page.matching,
          page.train_jobs,
        );
    });
    isBusy = false;
    // The rows have been refreshed meanwhile: the page is still to come.
    if (!isCurrent && asked === JSON.stringify(question.value)) await more();
  }
  let isBusy = false;

  /** Whether no other rows have been requested meanwhile. */
  async function ask(
    turn: number,
    offset: number,
    count: number,
    take: (page: RunRows) => void,
  ): Promise<boolean> {
    if (question.value === null) return true;
    const limit = Math.min(count, jobs.mostListed - offset);
    try {
      const page = await fetchRunRows({ ...question.value, offset, limit });
      if (turn !== latest || !isOn.value) return turn === latest;
      take(page);
      if (offset === 0) version.value = page.data_version;
      problem.value = null;
      return true;
    } catch (reason) {
      const message = apiMessage(reason);
      if (turn === latest) problem.value = message;
      return turn === latest;
    }
  }

  function place(ids: readonly string[], matching: number, rows: RunRows['train_jobs']): void {
    jobs.keep([...ids, ...wanted.value], rows);
    jobs.window = { ids, matching };
  }

  /** Whether there are rows after those listed, within the limit. */
  const hasMore = computed(() => {
    const window = jobs.window;
    return window !== null && window.ids.length < Math.min(window.matching, jobs.mostListed);
  });

  /** Runs that are listed beside the pages: the drawn ones, and the open one. */
  const wanted = computed(() => [
    ...selection.selectedIds.slice(0, MOST_DRAWN),
    ...selection.shown,
    ...jobs.used,
  ]);

  async function showWanted(trainIds: readonly string[]): Promise<void> {
    if (trainIds.length === 0) return;
    try {
      const { train_jobs } = await fetchRunRows({ train_id: trainIds });
      if (!isOn.value) return;
      jobs.keep([...(jobs.window?.ids ?? []), ...wanted.value], train_jobs);
      jobs.missing = new Set(trainIds.filter((id) => !jobs.byId.has(id)));
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  const absent = (): string[] => wanted.value.filter((id) => !jobs.byId.has(id));

  /** Runs that are selected by a rule. */
  const rule = computed<RunsQuestion | null>(() => (isOn.value ? selection.ruleQuestion : null));
  let latestRule = 0;

  async function select(): Promise<void> {
    const turn = ++latestRule;
    const asked = rule.value;
    if (asked === null) return;
    try {
      const { train_ids } = await fetchRunIds(asked);
      if (turn === latestRule) selection.takeRuleIds(asked, train_ids);
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  const overviewDue = dueOf(() => void survey());

  async function survey(): Promise<void> {
    if (!isOn.value) return;
    try {
      jobs.overview = await fetchRunOverview();
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  /** The fields of groupings by all parameters but one: the server knows which differ. */
  async function resolveGrouping(): Promise<void> {
    const by = order.by;
    if (!isOn.value || !order.needsServer) return;
    try {
      const { fields } = await fetchRunGroups({ by, limit: 0 }, []);
      if (by === order.by) order.resolvedBy = { by, fields };
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  function refresh(): Promise<unknown> {
    if (!isOn.value) return Promise.resolve();
    overviewDue.within(OVERVIEW_EVERY);
    const ids = new Set(jobs.window?.ids);
    return Promise.all([
      show(Math.max(PAGE, ids.size)),
      select(),
      showWanted(wanted.value.filter((id) => !ids.has(id))),
    ]);
  }

  function retry(): void {
    problem.value = null;
    void survey();
    void refresh();
  }

  const notedDue = dueOf(() => void refresh());
  const checkedDue = dueOf(() => void refresh());
  onScopeDispose(() => {
    for (const due of [overviewDue, notedDue, checkedDue]) due.cancel();
  });

  function start(): void {
    live.onChange(async () => {
      await refresh();
    });
    watch(
      () => JSON.stringify(question.value),
      () => {
        waiting.value = isOn.value;
        void show();
      },
      { immediate: true },
    );
    watch(
      () => JSON.stringify(rule.value),
      () => void select(),
      { immediate: true },
    );
    watch(isOn, () => void survey(), { immediate: true });
    // Rows count their events as far as the server had checked the runs.
    watch(
      () => issues.counts && JSON.stringify([issues.counts.looked_into, issues.counts.severities]),
      () => {
        if (isOn.value) checkedDue.within(CHECKED_EVERY);
      },
    );
    watch([isOn, () => order.by], () => void resolveGrouping(), { immediate: true });
    watch(
      [isOn, wanted],
      () => {
        if (isOn.value) void showWanted(absent());
      },
      { immediate: true },
    );
    // Pinned runs come first, archived ones leave.
    watch(
      () => annotations.saved,
      () => notedDue.after(NOTED),
    );
  }

  return { waiting, problem, isOn, isListed, hasMore, version, question, more, start, retry };
});
