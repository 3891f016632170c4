import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatStep } from '@/base/format';

import { DASHES } from '@/base/job_colors';
import { jobName } from '@/store/job_name';
import type { Line } from '@/charts/line';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';

import type { ChartSpec } from './chart_spec';
import { lineOf, type LineSource } from './lines';
import { sourceOf } from './sources';
import { useFormulas } from './use_formulas';
import { useScalarView } from './view_state';

/** Line ids are run ids; further lines of a run have a number appended. */
const NUMBERED = '\0';

export const jobOf = (lineId: string): string => lineId.split(NUMBERED)[0] ?? '';

export function useJobLines(
  chart: ChartSpec,
  large: () => boolean,
): {
  lines: ComputedRef<readonly Line[]>;
  sources: ComputedRef<readonly LineSource[]>;
  expected: ComputedRef<boolean>;
  failure: ComputedRef<string | undefined>;
  retry: () => void;
} {
  const { t } = useI18n();
  const view = useScalarView();
  const scalars = useScalars();
  const selection = useSelection();
  // Tags are followed as they grow; the server computes formulas from all points.
  const alone = chart.lines.flatMap(({ tag }) => tag ?? []);
  const known = new Map(alone.map((tag) => [tag, scalars.useTag(tag, large)]));
  const formulas = useFormulas(
    chart.lines
      .filter(({ tag }) => tag === null)
      .map(({ formula, tags }) => ({ text: formula, tags })),
    large,
  );

  const drawn = computed(() => {
    for (const series of known.values()) series.revision();
    return selection.drawn.flatMap((trainId) =>
      chart.lines.flatMap(({ tag, formula, label }, i) => {
        const source =
          tag === null
            ? formulas.sourceOf(trainId, formula)
            : sourceOf(known.get(tag)?.slot(trainId), scalars.window);
        return source ? [{ trainId, label, i, source }] : [];
      }),
    );
  });

  const several = chart.lines.length > 1;
  const lines = computed(() =>
    drawn.value.map(({ trainId, label, i, source }) =>
      lineOf(
        source,
        {
          id: i === 0 ? trainId : `${trainId}${NUMBERED}${i}`,
          label: several ? `${jobName(trainId)} · ${label}` : jobName(trainId),
          color: selection.colorOf(trainId),
          dash: several ? (DASHES[i % DASHES.length] ?? []) : selection.dashOf(trainId),
        },
        {
          xAxis: view.xAxis,
          nanLabel: (step) => t('scalar.nan', { step: formatStep(step) }),
          infiniteLabel: (step) => t('scalar.infinite', { step: formatStep(step) }),
          restartLabel: (step) => t('scalar.restart', { step: formatStep(step) }),
        },
      ),
    ),
  );

  return {
    lines,
    sources: computed(() => drawn.value.map(({ source }) => source)),
    expected: computed(() =>
      selection.drawn.some((id) => chart.tags.every((tag) => scalars.has(id, tag))),
    ),
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
