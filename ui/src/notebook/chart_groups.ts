import { shallowRef } from 'vue';

import { groupsOfArrow, type GroupSeries } from '@/api/scalar_groups';
import type { Range, XAxis } from '@/charts/line';
import { gridPoints } from '@/plugins/scalar/group_lines';

import type { Kernel } from './kernel';

/** Statistics of the groups of one view of a chart. */
export class ChartGroups {
  readonly series = shallowRef<readonly GroupSeries[]>([]);

  constructor(
    private readonly kernel: Kernel,
    private readonly groups: Readonly<Record<string, readonly string[]>>,
    private readonly tags: readonly string[],
  ) {
    kernel.on('groups', (bytes) => (this.series.value = groupsOfArrow(bytes)));
  }

  request(smoothing: string, x: XAxis, zoom: Range | null): void {
    const { groups, tags } = this;
    const question = {
      groups,
      tags,
      x,
      max_points: gridPoints(Object.keys(groups).length),
      format: 'arrow',
      ...(zoom && { start: zoom[0], end: zoom[1] }),
      ...(smoothing !== '' && { smoothing }),
    };
    this.kernel.request('groups', [question]);
  }
}
