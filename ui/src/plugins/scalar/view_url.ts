import {
  cardsField,
  namesField,
  rangeOf,
  rangeText,
  wordField,
  type CardTexts,
} from '@/base/url_fields';
import type { Range, ValueAxis } from '@/charts/line';

/** The first is the default: by steps, sparse and dense series are smoothed alike. */
export const SMOOTHING_KINDS = ['twema', 'ema', 'mean', 'gaussian'] as const;
export type SmoothingKind = (typeof SMOOTHING_KINDS)[number];

/** Whether its strength is a weight from 0 to 1 instead of points. */
export const isWeighted = (kind: SmoothingKind): boolean => kind === 'ema' || kind === 'twema';

export const CENTRES = ['mean', 'median'] as const;
export type Centre = (typeof CENTRES)[number];
export const SPREADS = ['std', 'confidence', 'range', 'none'] as const;
export type Spread = (typeof SPREADS)[number];
export const AXES = ['step', 'relative', 'wall', 'value'] as const satisfies readonly ValueAxis[];

/** Maximum strength by kind: a weight, points, or points of deviation. */
export const STRONGEST: Readonly<Record<SmoothingKind, number>> = {
  ema: 0.999,
  twema: 0.999,
  mean: 1_000,
  gaussian: 100,
};

export interface ChartsState {
  xAxis: ValueAxis;
  xTag: string;
  smoothing: number;
  smoothingKind: SmoothingKind;
  logX: boolean;
  logY: boolean;
  clip: boolean;
  zoom: Range | null;
  zooms: CardTexts;
  large: string | null;
  tables: readonly string[];
  folded: ReadonlySet<string>;
  /** By chart; see chart_settings. */
  settings: CardTexts;
}

export interface ScalarViewState extends ChartsState {
  tagFilter: string;
  centre: Centre;
  spread: Spread;
  pins: readonly string[];
  charts: readonly string[];
}

type Query = Readonly<Record<string, string | undefined>>;

const NAMES = namesField();
const CARDS = cardsField();
const CENTRE = wordField(CENTRES);
const SPREAD = wordField(SPREADS);

/** As in the server's argument: `twema:0.6`; empty: none. */
export function smoothingText({ smoothing, smoothingKind }: Smoothing): string {
  return smoothing === 0 ? '' : `${smoothingKind}:${smoothing}`;
}

/** Query arguments of charts; defaults are omitted. */
export function writeCharts(view: Readonly<ChartsState>): Record<string, string | undefined> {
  return {
    x: view.xAxis === 'step' ? undefined : view.xAxis,
    xtag: view.xAxis === 'value' ? view.xTag : undefined,
    // A weight without a kind is that of the EMA by points, as in older links.
    smooth: smoothingText(view).replace(/^ema:/, '') || undefined,
    log: `${view.logX ? 'x' : ''}${view.logY ? 'y' : ''}` || undefined,
    clip: view.clip ? '1' : undefined,
    zoom: rangeText(view.zoom) || undefined,
    zooms: CARDS.write(view.zooms) || undefined,
    large: view.large ?? undefined,
    tables: NAMES.write(view.tables) || undefined,
    set: CARDS.write(view.settings) || undefined,
    folded: view.folded.size === 0 ? undefined : JSON.stringify([...view.folded].sort()),
  };
}

export const writeView = (view: Readonly<ScalarViewState>): Record<string, string | undefined> => ({
  ...writeCharts(view),
  tags: view.tagFilter || undefined,
  centre: view.centre === CENTRE.usual ? undefined : view.centre,
  spread: view.spread === SPREAD.usual ? undefined : view.spread,
  pins: NAMES.write(view.pins) || undefined,
  charts: NAMES.write(view.charts) || undefined,
});

/** Sets missing or invalid arguments to their defaults. */
export function readCharts(query: Query, view: ChartsState): void {
  view.xAxis = AXES.find((axis) => axis === query['x']) ?? 'step';
  view.xTag = query['xtag'] ?? '';
  Object.assign(view, readSmoothing(query['smooth'] ?? ''));
  view.logX = query['log']?.includes('x') ?? false;
  view.logY = query['log']?.includes('y') ?? false;
  view.clip = query['clip'] === '1';
  view.zoom = rangeOf(query['zoom'] ?? '');
  view.zooms = CARDS.read(query['zooms'] ?? '') ?? {};
  view.large = query['large'] ?? null;
  view.tables = NAMES.read(query['tables'] ?? '') ?? [];
  view.settings = CARDS.read(query['set'] ?? '') ?? {};
  view.folded = readNames(query['folded']);
}

export function readView(query: Query, view: ScalarViewState): void {
  readCharts(query, view);
  view.tagFilter = query['tags'] ?? '';
  view.centre = CENTRE.read(query['centre'] ?? '') ?? CENTRE.usual;
  view.spread = SPREAD.read(query['spread'] ?? '') ?? SPREAD.usual;
  view.pins = NAMES.read(query['pins'] ?? '') ?? [];
  view.charts = NAMES.read(query['charts'] ?? '') ?? [];
}

export interface Smoothing {
  readonly smoothingKind: SmoothingKind;
  readonly smoothing: number;
}

export function readSmoothing(text: string): Smoothing {
  const [word = '', number] = text.includes(':') ? text.split(':') : ['ema', text];
  const kind = SMOOTHING_KINDS.find((one) => one === word);
  const strength = Number(number);
  return kind && strength > 0 && strength <= STRONGEST[kind]
    ? { smoothingKind: kind, smoothing: strength }
    : { smoothingKind: SMOOTHING_KINDS[0], smoothing: 0 };
}

function readNames(text: string | undefined): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}
