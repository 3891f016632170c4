import { computed, watch, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatStep } from '@/base/format';

import { DASHES } from '@/base/job_colors';
import type { Line, ValueAxis } from '@/charts/line';
import { windowName, type Window } from '@/store/scalar_windows';
import { useAnomalies } from '@/store/anomalies';
import type { Anomaly } from '@/store/rule_events';
import { useRunNames } from '@/store/run_names';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';

import type { ChartSpec } from './chart_spec';
import { useEventLabels } from './event_labels';
import { lineOf, withEvents, type LineSource, type LineStyle } from './lines';
import { knownSource, type KnownSource } from './sources';
import { useFormulas } from './use_formulas';

/** Line ids are run ids; further lines of a run have a number appended. */
const NUMBERED = '\0';

const NO_EVENTS: readonly Anomaly[] = [];

interface Made {
  readonly style: LineStyle;
  readonly line: Line;
  readonly events: readonly Anomaly[];
  /** The line with its events. */
  readonly marked: Line;
}

export const jobOf = (lineId: string): string => lineId.split(NUMBERED)[0] ?? '';

export interface LineSettings {
  readonly large: () => boolean;
  /** Whether series are to be requested. */
  readonly needed: () => boolean;
  readonly xAxis: () => ValueAxis;
  readonly window: () => Window;
}

export function useJobLines(
  chart: ChartSpec,
  { large, needed, xAxis, window }: LineSettings,
): {
  lines: ComputedRef<readonly Line[]>;
  sources: ComputedRef<readonly LineSource[]>;
  expected: ComputedRef<boolean>;
  stale: ComputedRef<boolean>;
  failure: ComputedRef<string | undefined>;
  retry: () => void;
} {
  const { t } = useI18n();
  const scalars = useScalars();
  const names = useRunNames();
  const selection = useSelection();
  const anomalies = useAnomalies();
  anomalies.follow();
  // Tags are followed as they grow; the server computes formulas from all points.
  const alone = chart.lines.flatMap(({ tag }) => tag ?? []);
  const known = new Map(alone.map((tag) => [tag, scalars.useTag(tag, large, needed)]));
  const formulas = useFormulas(
    chart.lines
      .filter(({ tag }) => tag === null)
      .map(({ formula, tags }) => ({ text: formula, tags })),
    { large, window, smoothing: () => scalars.smoothingOf(`=${chart.text ?? ''}`) },
  );

  /** A tag's points are requested in one window: other charts of the tag show the whole series. */
  function windowOf(tag: string): Window {
    const shown = window();
    return windowName(scalars.windowOf(tag)) === windowName(shown) ? shown : null;
  }

  const sources = new Map<string, KnownSource>();
  const drawn = computed(() => {
    for (const series of known.values()) series.revision();
    return selection.drawn.flatMap((trainId) =>
      chart.lines.flatMap(({ tag, formula }, i) => {
        const source =
          tag === null
            ? formulas.sourceOf(trainId, formula)
            : knownSource(sources, `${i} ${trainId}`, known.get(tag)?.slot(trainId), windowOf(tag));
        return source ? [{ trainId, i, source }] : [];
      }),
    );
  });

  const several = chart.lines.length > 1;
  const options = computed(() => ({
    xAxis: xAxis(),
    nanLabel: (step: number) => t('scalar.nan', { step: formatStep(step) }),
    infiniteLabel: (step: number) => t('scalar.infinite', { step: formatStep(step) }),
    restartLabel: (step: number) => t('scalar.restart', { step: formatStep(step) }),
  }));
  const styles = computed(
    () =>
      new Map(
        selection.drawn.map((trainId) => [
          trainId,
          chart.lines.map(({ label }, i) => ({
            id: i === 0 ? trainId : `${trainId}${NUMBERED}${i}`,
            label: several ? `${names.nameOf(trainId)} · ${label}` : names.nameOf(trainId),
            color: selection.colorOf(trainId),
            dash: DASHES[i % DASHES.length] ?? [],
          })),
        ]),
      ),
  );
  const labeled = useEventLabels();
  /** By source: an answer changes few of many lines. */
  let made = new WeakMap<LineSource, Made>();
  watch(options, () => (made = new WeakMap()), { flush: 'sync' });
  const lines = computed(() => {
    // Read always: a line that is known must depend on them, too.
    const lineOptions = options.value;
    return drawn.value.flatMap(({ trainId, i, source }) => {
      const style = styles.value.get(trainId)?.[i];
      if (!style) return [];
      const tag = chart.lines[i]?.tag;
      const events = typeof tag === 'string' ? anomalies.of(trainId, tag) : NO_EVENTS;
      const before = made.get(source);
      if (before?.style === style && before.events === events) return [before.marked];
      const line = before ? { ...before.line, ...style } : lineOf(source, style, lineOptions);
      const marked = withEvents(line, events.map(labeled), lineOptions.xAxis);
      made.set(source, { style, line, events, marked });
      return [marked];
    });
  });

  return {
    lines,
    sources: computed(() => drawn.value.map(({ source }) => source)),
    expected: computed(() =>
      selection.drawn.some((id) => chart.tags.every((tag) => scalars.has(id, tag))),
    ),
    stale: computed(() => formulas.stale() || [...known.values()].some((series) => series.stale())),
    failure: computed(
      () =>
        formulas.problem.value ??
        [...known.values()]
          .map((series) => series.failure())
          .find((reason) => reason !== undefined),
    ),
    retry: formulas.retry,
  };
}
