import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import { spansDecades } from '@/base/decades';
import { formatField } from '@/base/format';
import { assignStyles, stableHash, styleColor, withoutGray } from '@/base/job_colors';
import type { Value } from '@/base/job_query';
import { meanOf } from '@/base/mean';
import { compareValues, presentValue } from '@/base/value_order';
import { NO_VALUE, rampColor, rampRange, type RampRange } from '@/base/value_ramp';

import { useJobFacts } from './job_facts';
import { useJobFields } from './job_fields';
import { usePreferences } from './preferences';
import { useRunOrder } from './run_order';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';
import type { UrlPart } from './url_state';

export const BY_RUN = '';
/** By the groups of `run_order`. */
export const BY_GROUP = '*';

export interface ColorBar {
  readonly labels: readonly string[];
  /** Whether values beyond the ends share their colors. */
  readonly clipped: boolean;
}

export interface ColorClass {
  /** Empty: runs without a value. */
  readonly name: string;
  readonly color: string;
  readonly count: number;
}

/** What the colors of runs mean, on all pages: the run itself, its group or a value. */
export const useRunColors = defineStore('run_colors', () => {
  const facts = useJobFacts();
  const fields = useJobFields();
  const jobs = useTrainJobs();
  const order = useRunOrder();
  const preferences = usePreferences();
  const selection = useSelection();

  /** `BY_RUN`, `BY_GROUP` or a field, as selected. */
  const selectedBy = ref(BY_RUN);
  /** Grouped runs have their group's color by default, as the lines of the groups do. */
  const by = computed({
    get: () => (selectedBy.value === BY_RUN && order.isGrouped ? BY_GROUP : selectedBy.value),
    set: (field) => (selectedBy.value = field),
  });
  const byGroup = computed(() => by.value === BY_GROUP);
  facts.use(() => (by.value === BY_RUN || byGroup.value ? null : fields.scalarColumns([by.value])));

  const presentJobs = computed(() => selection.present.flatMap((id) => jobs.byId.get(id) ?? []));

  const valueOf = computed<((job: TrainJob) => Value) | null>(() => {
    if (by.value === BY_RUN) return null;
    if (byGroup.value) return order.isGrouped ? order.lineNamer(presentJobs.value) : null;
    const get = fields.getter(by.value);
    return (job) => presentValue(get(job));
  });

  const values = computed<readonly Value[]>(() => {
    const get = valueOf.value;
    return get === null ? [] : presentJobs.value.map(get);
  });

  /** For numbers; null: colors are by classes. */
  const scale = computed(() => {
    const there = values.value.filter((value) => value !== undefined);
    if (there.length === 0 || !there.every((value) => typeof value === 'number')) return null;
    return scaleOf(there);
  });

  const styles = computed(() =>
    withoutGray(
      assignStyles(values.value.flatMap((value) => (value === undefined ? [] : [String(value)]))),
    ),
  );

  function colorOfValue(value: Value): string {
    if (value === undefined || value === null) return NO_VALUE;
    if (scale.value)
      return typeof value === 'number'
        ? rampColor(scale.value.place(value), scale.value.range, preferences.theme)
        : NO_VALUE;
    const name = String(value);
    return styleColor(styles.value.get(name) ?? stableHash(name), preferences.theme);
  }

  const tint = computed(() => {
    const get = valueOf.value;
    if (get === null) return null;
    const known = new Map<string, string>();
    return (trainId: string): string => {
      let color = known.get(trainId);
      if (color === undefined) {
        const job = jobs.byId.get(trainId);
        color = job ? colorOfValue(get(job)) : NO_VALUE;
        known.set(trainId, color);
      }
      return color;
    };
  });
  watch(tint, (now) => (selection.tint = now), { immediate: true, flush: 'sync' });

  /** The color of a group of runs, of its line in charts, too. */
  function colorOfGroup(trainIds: readonly string[]): string {
    const get = valueOf.value;
    if (get === null) return NO_VALUE;
    const found = (byGroup.value ? trainIds.slice(0, 2) : trainIds).flatMap((id) => {
      const job = jobs.byId.get(id);
      return job ? [get(job)] : [];
    });
    if (!byGroup.value && scale.value) return colorOfValue(meanOf(found)?.mean);
    return new Set(found).size === 1 ? colorOfValue(found[0]) : NO_VALUE;
  }

  /** The meaning of a ramp's colors; null: there is none. */
  const bar = computed<ColorBar | null>(() => {
    if (!scale.value) return null;
    const { range, valueAt } = scale.value;
    const { low, high, clipped } = range;
    const label = (place: number): string =>
      formatField(by.value, Number(valueAt(place).toPrecision(3)));
    if (!(high > low)) return { labels: [label(low)], clipped: false };
    const [first, middle, last] = [low, (low + high) / 2, high].map(label);
    return {
      labels: clipped
        ? [`≤ ${first ?? ''}`, middle ?? '', `≥ ${last ?? ''}`]
        : [first ?? '', middle ?? '', last ?? ''],
      clipped,
    };
  });

  /** The meaning of colors by class, in the order of their values. Groups are listed elsewhere. */
  const classes = computed<readonly ColorClass[]>(() => {
    if (valueOf.value === null || byGroup.value || scale.value) return [];
    const counts = new Map<Value, number>();
    for (const value of values.value) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .sort(([a], [b]) =>
        a === undefined || b === undefined
          ? Number(a === undefined) - Number(b === undefined)
          : compareValues(a, b),
      )
      .map(([value, count]) => ({ name: String(value ?? ''), color: colorOfValue(value), count }));
  });

  /** How many of the selected runs have no value. */
  const without = computed(() => values.value.filter((value) => value === undefined).length);

  const urlPart: UrlPart = {
    shared: true,
    write: () => ({ color_by: selectedBy.value || undefined }),
    read: (query) => {
      selectedBy.value = query['color_by'] ?? BY_RUN;
    },
    step: () => selectedBy.value,
  };

  const isUsual = computed(() => selectedBy.value === BY_RUN);

  return { by, isUsual, bar, classes, without, colorOfGroup, urlPart };
});

interface ColorScale {
  readonly range: RampRange;
  readonly place: (value: number) => number;
  readonly valueAt: (place: number) => number;
}

function scaleOf(values: readonly number[]): ColorScale {
  const finite = values.filter(Number.isFinite);
  const isLog = spansDecades(finite);
  const place = isLog ? Math.log10 : Number;
  return {
    range: rampRange(finite.map((value) => place(value))),
    place,
    valueAt: isLog ? (at) => 10 ** at : Number,
  };
}
