import type { Range, XAxis } from '@/charts/line';

/** The part of the view that the URL holds. */
export interface ScalarViewState {
  tagFilter: string;
  xAxis: XAxis;
  smoothing: number;
  logX: boolean;
  logY: boolean;
  zoom: Range | null;
  large: string | null;
  folded: ReadonlySet<string>;
}

type Query = Readonly<Record<string, string | undefined>>;

const AXES: readonly XAxis[] = ['step', 'relative', 'wall'];

/** The view as query arguments; what is as usual is left out. */
export function writeView(view: Readonly<ScalarViewState>): Record<string, string | undefined> {
  return {
    tags: view.tagFilter || undefined,
    x: view.xAxis === 'step' ? undefined : view.xAxis,
    smooth: view.smoothing === 0 ? undefined : String(view.smoothing),
    log: `${view.logX ? 'x' : ''}${view.logY ? 'y' : ''}` || undefined,
    zoom: view.zoom === null ? undefined : `${view.zoom[0]}..${view.zoom[1]}`,
    large: view.large ?? undefined,
    folded: view.folded.size === 0 ? undefined : JSON.stringify([...view.folded].sort()),
  };
}

/** Sets the view to what query arguments say; what they don't say, or say wrongly, is as usual. */
export function readView(query: Query, view: ScalarViewState): void {
  view.tagFilter = query['tags'] ?? '';
  view.xAxis = AXES.find((axis) => axis === query['x']) ?? 'step';
  view.smoothing = bounded(Number(query['smooth'] ?? 0));
  view.logX = query['log']?.includes('x') ?? false;
  view.logY = query['log']?.includes('y') ?? false;
  view.zoom = readRange(query['zoom']);
  view.large = query['large'] ?? null;
  view.folded = readNames(query['folded']);
}

function bounded(weight: number): number {
  return weight >= 0 && weight < 1 ? weight : 0;
}

function readRange(text: string | undefined): Range | null {
  const [from = NaN, to = NaN] = (text ?? '').split('..').map((part) => (part === '' ? NaN : Number(part)));
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

function readNames(text: string | undefined): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}
