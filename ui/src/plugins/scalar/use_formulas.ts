import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';

import { ApiError } from '@/api/client';
import { fetchRestarts, type Restarts } from '@/api/restarts';
import { fetchFormulas } from './scalar_formulas';
import type { ScalarQuestion, ScalarSeries } from '@/api/scalars';
import { dueOf } from '@/base/due';
import { useLive } from '@/store/live';
import { questionPieces } from '@/store/question_pieces';
import { isReduced, windowBounds, windowName, type Window } from '@/store/scalar_windows';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';

import type { LineSource } from './lines';

/** Milliseconds between requests while logs grow. */
const EVERY = 2_000;
/** Debounces dragging and typing. */
const SOON = 30;

export interface Formula {
  readonly text: string;
  readonly tags: readonly string[];
}

type ByName = ReadonlyMap<string, ScalarSeries>;
const NONE: ByName = new Map();

interface FormulaSettings {
  readonly large: () => boolean;
  readonly smoothing: () => string;
  /** The part of the x axis that is shown. */
  readonly window: () => Window;
}

/** Values of formulas for the selected runs, until the calling scope ends. */
export function useFormulas(
  formulas: readonly Formula[],
  { large, smoothing, window: shownWindow }: FormulaSettings,
): {
  sourceOf: (trainId: string, formula: string) => LineSource | null;
  /** Whether values are older than the controls say. */
  stale: () => boolean;
  problem: Ref<string | undefined>;
  retry: () => void;
} {
  const live = useLive();
  const scalars = useScalars();
  const selection = useSelection();

  const wholes = shallowRef<ByName>(NONE);
  const restarts = shallowRef<readonly Restarts[]>([]);
  const details = shallowRef<{ readonly window: string; readonly byName: ByName }>({
    window: '',
    byName: NONE,
  });
  /** What `wholes` answers. */
  const shown = ref('');
  const problem = ref<string>();

  const question = computed<string>(() => {
    const ids = selection.drawn.filter((id) =>
      formulas.some(({ tags }) => tags.every((tag) => scalars.has(id, tag))),
    );
    return ids.length === 0
      ? ''
      : JSON.stringify([ids, scalars.pointsFor(large()), smoothing(), scalars.xTag]);
  });
  const asked = computed(() => JSON.stringify([question.value, shownWindow()]));

  let answered = '';
  let answeredWhole = '';
  let busy = false;
  let ended = false;
  const due = dueOf(() => void ask());

  async function ask(): Promise<void> {
    const whole = `${live.dataVersion} ${question.value}`;
    const all = `${live.dataVersion} ${asked.value}`;
    if (busy || ended || question.value === '' || all === answered) return;
    busy = true;
    const window = shownWindow();
    const asking = question.value;
    const [trainIds, maxPoints, smoothing, xTag] = JSON.parse(asking) as [
      string[],
      number,
      string,
      string | null,
    ];
    const fetched = (ids: readonly string[], bounds: object): Promise<ByName> =>
      fetchAll(
        ids,
        formulas.map(({ text }) => text),
        {
          maxPoints,
          ...bounds,
          ...(smoothing !== '' && { smoothing }),
          ...(xTag !== null && { xTag }),
        },
      );
    try {
      if (whole !== answeredWhole) {
        const [series, found] = await Promise.all([
          fetched(trainIds, {}),
          fetchAllRestarts(trainIds, formulas),
        ]);
        wholes.value = series;
        shown.value = asking;
        restarts.value = found;
      }
      answeredWhole = whole;
      if (window !== null)
        details.value = {
          window: windowName(window),
          byName: await fetchWindow(trainIds, window, fetched),
        };
      problem.value = undefined;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
    } finally {
      busy = false;
      answered = all;
    }
    if (!all.endsWith(asked.value)) due.after(SOON);
    else if (`${live.dataVersion} ${asked.value}` !== answered) due.within(EVERY);
  }

  /** Runs with the same bounds share a request: all of them, unless the axis is relative. */
  async function fetchWindow(
    trainIds: readonly string[],
    window: Window,
    fetched: (ids: readonly string[], bounds: object) => Promise<ByName>,
  ): Promise<ByName> {
    const groups = new Map<string, string[]>();
    for (const id of trainIds) {
      const origin = formulas
        .map(({ text }) => wholes.value.get(nameOf(id, text))?.wall_time[0])
        .find((time) => time !== undefined);
      const bounds = windowBounds(window, origin ?? null);
      if (bounds === null) continue;
      const name = JSON.stringify(bounds);
      groups.set(name, [...(groups.get(name) ?? []), id]);
    }
    const answers = await Promise.all(
      [...groups].map(([bounds, ids]) => fetched(ids, JSON.parse(bounds) as object)),
    );
    return new Map(answers.flatMap((one) => [...one]));
  }

  if (formulas.length > 0) {
    watch(asked, () => due.after(SOON), { immediate: true });
    watch(
      () => live.dataVersion,
      () => due.within(EVERY),
    );
    onScopeDispose(() => {
      ended = true;
      due.cancel();
    });
  }

  function sourceOf(trainId: string, formula: string): LineSource | null {
    const name = nameOf(trainId, formula);
    const whole = wholes.value.get(name);
    if (!whole) return null;
    const window = shownWindow();
    const detail =
      window !== null && details.value.window === windowName(window)
        ? (details.value.byName.get(name) ?? null)
        : null;
    const reduced = detail ? detail.step.length < (detail.inRange ?? 0) : isReduced(whole);
    return {
      whole,
      detail,
      series: detail ?? whole,
      window: detail !== null,
      reduced,
      restarts: restartsOf(trainId, formula),
      aside: [],
    };
  }

  function restartsOf(trainId: string, formula: string): readonly number[] {
    const tags = formulas.find(({ text }) => text === formula)?.tags ?? [];
    return [
      ...new Set(
        restarts.value.flatMap((one) =>
          one.train_id === trainId && tags.includes(one.tag) ? one.step : [],
        ),
      ),
    ];
  }

  function retry(): void {
    answered = answeredWhole = '';
    problem.value = undefined;
    void ask();
  }

  function stale(): boolean {
    const window = shownWindow();
    return (
      question.value !== shown.value ||
      (question.value !== '' && window !== null && details.value.window !== windowName(window))
    );
  }

  return { sourceOf, stale, problem, retry };
}

async function fetchAll(
  ids: readonly string[],
  texts: readonly string[],
  question: Omit<ScalarQuestion, 'trainIds' | 'tags'>,
): Promise<ByName> {
  const pieces = questionPieces(ids, texts).map(([trainIds, tags]) =>
    fetchFormulas({ ...question, trainIds, tags }),
  );
  return new Map(
    (await Promise.all(pieces)).flat().map((one) => [nameOf(one.train_id, one.tag), one]),
  );
}

async function fetchAllRestarts(
  ids: readonly string[],
  formulas: readonly Formula[],
): Promise<readonly Restarts[]> {
  const tags = [...new Set(formulas.flatMap((one) => one.tags))];
  return (
    await Promise.all(questionPieces(ids, tags).map(([some, of]) => fetchRestarts(some, of)))
  ).flat();
}

function nameOf(trainId: string, formula: string): string {
  return `${trainId}\0${formula}`;
}
