import { XAXES, type XAxis } from '@/charts/line';

import type { KernelModel } from './kernel';

/** What a chart shows, as the kernel says when it makes the chart. */
export interface ChartContent {
  readonly runs: readonly { readonly id: string; readonly label: string }[];
  readonly tags: readonly string[];
  /** Runs by the name of their group; none: each run is a line. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The number of runs that have the tags. */
  readonly allRuns: number;
  readonly smoothing: string;
  readonly xAxis: XAxis;
  readonly logX: boolean;
  readonly logY: boolean;
}

export function contentOf(model: KernelModel): ChartContent {
  const xAxis = model.get('x');
  return {
    runs: (model.get('train_ids') as readonly string[]).map((id) => ({
      id,
      label: id.replace(/^\.\//, '') || id,
    })),
    tags: model.get('tags') as readonly string[],
    groups: model.get('groups') as ChartContent['groups'],
    allRuns: model.get('all_runs') as number,
    smoothing: model.get('smoothing') as string,
    xAxis: XAXES.find((axis) => axis === xAxis) ?? XAXES[0],
    logX: model.get('log_x') as boolean,
    logY: model.get('log_y') as boolean,
  };
}
