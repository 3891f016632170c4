import type { Severity } from '@/api/findings';
import type { HealthEvent, LogEvent, SeriesEvent } from './api';
import { formatDuration, formatStep, formatValue, formatWhole } from '@/base/format';

import type { ViewWith } from '@/store/view_with';

import { placeLink } from './place_link';

/** A damaged place in a file; its place in a chart is requested on click. */
export interface DamagePlace {
  readonly trainId: string;
  readonly path: string;
  readonly offset: number;
}

export interface RowPlace {
  readonly label: string;
  readonly link: string | null;
  readonly damage: DamagePlace | null;
}

export interface EventRow {
  readonly key: string;
  readonly trainId: string | null;
  readonly kind: string;
  readonly severity: Severity;
  readonly words: string;
  readonly where: string;
  /** Link to the whole event; both null: no chart shows it. */
  readonly link: string | null;
  readonly damage: DamagePlace | null;
  readonly places: readonly RowPlace[];
  readonly more: number;
}

export interface Words {
  /** A message with its values and the number for its plural. */
  readonly t: (key: string, values: Readonly<Record<string, string>>, plural?: number) => string;
  readonly te: (key: string) => boolean;
  readonly tagName: (tag: string) => string;
  /** What all pages share in their links, with this run drawn. */
  readonly viewWith: ViewWith;
}

export const rowOf = (event: HealthEvent, words: Words): EventRow =>
  'path' in event ? ofLog(event, words) : ofSeries(event, words);

function ofLog(event: LogEvent, { t }: Words): EventRow {
  const {
    train_id: trainId,
    kind,
    severity,
    count,
    path,
    detail,
    lost_records: lost,
    offsets,
  } = event;
  const byte = (offset: number): string => t('health.byte', { offset: formatWhole(offset) });
  const damage = (offset: number): DamagePlace | null =>
    trainId === null ? null : { trainId, path, offset };
  const [first] = offsets;
  return {
    key: `${trainId} ${kind} ${path}`,
    trainId,
    kind,
    severity,
    words:
      count === 1
        ? detail
        : `${detail} ${t('health.alike', { n: formatWhole(count - 1) }, count - 1)}`.trim(),
    where: [
      path,
      first === undefined
        ? ''
        : count === 1
          ? byte(first)
          : t('health.from', { place: byte(first) }),
      lost > 0 ? t('health.lost', { n: formatWhole(lost) }, lost) : '',
    ]
      .filter(Boolean)
      .join(' · '),
    link: null,
    damage: first === undefined ? null : damage(first),
    places:
      offsets.length < 2
        ? []
        : offsets.map((offset) => ({ label: byte(offset), link: null, damage: damage(offset) })),
    more: offsets.length < 2 ? 0 : count - offsets.length,
  };
}

function range(
  [least, most]: readonly [number, number],
  t: Words['t'],
  words: (size: number) => string,
): string {
  const [from, to] = [words(least), words(most)];
  return from === to ? from : t('health.range', { least: from, most: to });
}

/** `1h 20min` with the units of the language. */
const durationIn = (t: Words['t'], seconds: number): string =>
  formatDuration(seconds).replace(/([\d.]+)(ms|min|[dhs])/g, (_, n: string, unit: string) =>
    t(`health.units.${unit}`, { n }),
  );

/** Kinds that are one event per run and rule, however often they happen. */
const REPEATED = new Set([
  'pause',
  'spike',
  'plateau',
  'throughput',
  'gradient_change',
  'threshold',
]);

/** Series named as having moved with an event. */
const NAMED = 3;

function seriesWords(
  { kind, times, size, rule, moved }: SeriesEvent,
  { t, te, tagName }: Words,
): string {
  if (!te(`health.words.${kind}`)) return '';
  const values = {
    n: REPEATED.has(kind) ? formatWhole(times) : range(size, t, formatWhole),
    time: range(size, t, (seconds) => durationIn(t, seconds)),
    ...(rule !== '' && {
      value: range(size, t, (one) => formatValue(one, 3)),
      percent: range(size, t, (one) => `${formatWhole(Math.round(one * 100))}%`),
    }),
  };
  const words = t(`health.words.${kind}`, values, REPEATED.has(kind) ? times : size[1]);
  const own = rule === '' || rule === kind ? words : t('health.rule', { rule, words });
  const series = moved
    .slice(0, NAMED)
    .map(({ tag, lead }) =>
      lead > 0
        ? t('health.movedBefore', { tag: tagName(tag), n: formatWhole(lead) }, lead)
        : tagName(tag),
    );
  return series.length === 0 ? own : `${own} ${t('health.moved', { series: series.join(', ') })}`;
}

function ofSeries(event: SeriesEvent, words: Words): EventRow {
  const { t, tagName, viewWith } = words;
  const {
    train_id: trainId,
    kind,
    severity,
    count,
    times,
    tags,
    step,
    end_step: end,
    window,
    places,
  } = event;
  const steps = (from: number, to: number): string =>
    from === to
      ? t('health.at', { step: formatStep(from) })
      : t('health.fromTo', { from: formatStep(from), to: formatStep(to) });
  const view = viewWith(trainId);
  const alone = tags === 1 ? places[0]?.tag : undefined;
  return {
    key: `${trainId} ${kind} ${step} ${end} ${places[0]?.tag}`,
    trainId,
    kind,
    severity,
    words: seriesWords(event, words),
    where: `${alone === undefined ? t('health.tags', { n: formatWhole(tags) }) : tagName(alone)} · ${steps(step, end)}`,
    link: placeLink(view, alone ?? null, window),
    damage: null,
    places:
      count === 1
        ? []
        : places.map((one) => ({
            // Places at the same steps share them.
            label:
              one.step === step && one.end_step === end
                ? tagName(one.tag)
                : `${tagName(one.tag)} · ${steps(one.step, one.end_step)}`,
            link: placeLink(view, one.tag, one.window),
            damage: null,
          })),
    more: count === 1 ? 0 : (times === 1 ? count : times) - places.length,
  };
}
