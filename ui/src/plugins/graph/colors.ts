import type { GraphCosts } from './api';
import { mixed } from '@/base/color_maps';
import { formatValue } from '@/base/format';
import { assignStyles, PALETTES, styleColor, type Theme } from '@/base/job_colors';
import { PAGE_COLORS } from '@/charts/page_colors';

import { seriesLabel, type Item, type Range } from './items';

export interface RunFacts {
  readonly device: string;
  readonly time: number | null;
}

function joined(one: RunFacts | undefined, other: RunFacts): RunFacts {
  if (!one) return other;
  const devices = new Set([one.device, other.device].filter(Boolean));
  const times = [one.time, other.time].filter((time) => time !== null);
  return {
    device: devices.size > 1 ? SEVERAL : ([...devices][0] ?? ''),
    time: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0),
  };
}

const SEVERAL = 'several';

export type FactsOf = (item: Item) => RunFacts | undefined;

export interface GraphFacts {
  readonly of: FactsOf;
  readonly devices: boolean;
  readonly times: boolean;
}

/** Facts of nodes, scopes and bundles. The time of a scope or bundle is the sum of its nodes. */
export function graphFacts({
  devices,
  name: names,
  device: deviceOf,
  micros,
  places,
}: GraphCosts): GraphFacts {
  const facts = new Map<string, RunFacts>();
  names.forEach((name, i) => {
    const own: RunFacts = { device: devices[deviceOf[i] ?? -1] ?? '', time: micros[i] ?? null };
    for (let at = name; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      facts.set(at, joined(facts.get(at), own));
  });
  const wide = new Map(places.map((place) => [place.name, place]));
  const bundles = new Map<string, RunFacts>();
  const ofBundle = (name: string, { scope, first, last }: Range): RunFacts | undefined => {
    const known = bundles.get(name);
    const columns = wide.get(scope);
    if (known || !columns) return known;
    let sum: RunFacts | undefined;
    for (let i = first - 1; i < last; i++) {
      const device = columns.device[i] ?? null;
      sum = joined(sum, {
        device: device === null ? '' : (devices[device] ?? SEVERAL),
        time: columns.micros[i] ?? null,
      });
    }
    if (sum) bundles.set(name, sum);
    return sum;
  };
  return {
    of: (item) => (item.range ? ofBundle(item.name, item.range) : facts.get(item.name)),
    devices: devices.length > 0,
    times: micros.some((time) => time !== null),
  };
}

export interface Tint {
  readonly fill: string;
  readonly stroke: string;
}

export interface LegendEntry extends Tint {
  readonly label: string;
}

const onPanel = (color: string, theme: Theme, share: number): string =>
  `rgb(${mixed(PAGE_COLORS[theme].panel, color, share).join(', ')})`;

function wordTint(style: number, theme: Theme): Tint {
  const color = styleColor(style, theme);
  return { fill: onPanel(color, theme, theme === 'light' ? 0.16 : 0.26), stroke: color };
}

function shareTint(share: number, theme: Theme): Tint {
  const color = PALETTES[theme][1];
  return { fill: onPanel(color, theme, 0.06 + 0.54 * share), stroke: color };
}

export type ColorMode = 'structure' | 'type' | 'device' | 'time';

export function wordOf(item: Item, mode: ColorMode, factsOf: FactsOf): string {
  if (mode === 'structure' && item.structure !== null) return `${SCOPE}${item.structure}`;
  if (mode === 'type' || mode === 'structure')
    return item.kind === 'aggregation' ? item.label.replace(/ ×[^×]+$/, '') : item.type;
  return factsOf(item)?.device ?? '';
}

/** Before a structure's number: no type of an operator begins so. */
const SCOPE = '\0';
/** The most frequent words get different colors. */
const MOST_WORDS = 10;

/** Colors of all items, and the legend. */
export function tintsOf(
  items: readonly Item[],
  mode: ColorMode,
  theme: Theme,
  factsOf: FactsOf,
): { readonly of: (item: Item) => Tint; readonly legend: readonly LegendEntry[] } {
  const { panel, fieldLine } = PAGE_COLORS[theme];
  const plain: Tint = { fill: panel, stroke: fieldLine };
  if (mode === 'time') {
    const most = Math.max(0, ...items.map((item) => factsOf(item)?.time ?? 0));
    const of = (item: Item): Tint => {
      const time = factsOf(item)?.time ?? null;
      return time === null ? plain : shareTint(most === 0 ? 0 : time / most, theme);
    };
    const legend =
      most === 0
        ? []
        : [0, 0.5, 1].map((share) => ({
            ...shareTint(share, theme),
            label: `${formatValue(share * most, 3)} µs`,
          }));
    return { of, legend };
  }
  const counts = new Map<string, number>();
  for (const item of items) {
    const word = wordOf(item, mode, factsOf);
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const isScope = (word: string): number => Number(word.startsWith(SCOPE));
  const frequent = [...counts]
    .sort((a, b) => isScope(b[0]) - isScope(a[0]) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word);
  const styles = assignStyles(frequent);
  const tintOf = (word: string): Tint => {
    const style = styles.get(word);
    return style === undefined ? plain : wordTint(style, theme);
  };
  const labelOf = (word: string): string => {
    if (!word.startsWith(SCOPE)) return word;
    const alike = items.filter((item) => wordOf(item, mode, factsOf) === word);
    const name = commonName(alike.map(({ label }) => label));
    return alike.length > 1 ? seriesLabel(name, alike.length) : name;
  };
  return {
    of: (item) => tintOf(wordOf(item, mode, factsOf)),
    legend: frequent.map((word) => ({ ...tintOf(word), label: labelOf(word) })),
  };
}

/** What the names share: `block1` and `block2` -> `block`; else the first. */
function commonName(names: readonly string[]): string {
  const [first = ''] = names;
  const stem = (name: string): string => name.replace(/[\W_]*\d*[\W_]*$/, '');
  return names.every((name) => stem(name) === stem(first)) ? stem(first) || first : first;
}
