import { tableFromIPC } from '@uwdata/flechette';

import { postForBytes, readAnswer } from './client';
import { numbers } from './scalars_arrow';
import { currentTransport } from './transport';

export interface GroupQuestion {
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly x: 'step' | 'relative' | 'wall';
  readonly start?: number;
  readonly end?: number;
  readonly max_points: number;
  readonly smoothing?: string;
  /** Runs that may log more. */
  readonly unfinished?: readonly string[];
}

const COLUMNS = ['x', 'n', 'mean', 'median', 'min', 'max', 'std', 'confidence'] as const;

interface GroupFacts {
  readonly name: string;
  readonly tag: string;
  readonly series: number;
  readonly points: number;
  /** Where series of unfinished runs end for now, ascending. */
  readonly open_ends: readonly number[];
}

/** Statistics of one group and tag as columns over `x`. */
export type GroupSeries = GroupFacts & Readonly<Record<(typeof COLUMNS)[number], Float64Array>>;

export async function fetchGroups(
  question: GroupQuestion,
  tags: readonly string[],
): Promise<readonly GroupSeries[]> {
  const { groups } = currentTransport();
  if (groups) return groups(question, tags);
  const bytes = await postForBytes('datavisual/scalars/groups', {
    ...question,
    tags,
    format: 'arrow',
  });
  return readAnswer(() => groupsOfArrow(bytes));
}

/** The columns are views of the stream. */
export function groupsOfArrow(stream: Uint8Array): GroupSeries[] {
  const table = tableFromIPC(stream, { useBigInt: true });
  const about = JSON.parse(table.schema.metadata?.get('mindviz') ?? '{"groups":[]}') as {
    groups: readonly (GroupFacts & { readonly rows: number })[];
  };
  const columns = COLUMNS.map((name) => numbers(table.getChild(name).toArray()));
  let end = 0;
  return about.groups.map(({ rows, ...facts }) => {
    const first = end;
    end += rows;
    const own = COLUMNS.map((name, i) => [name, columns[i]?.subarray(first, end)]);
    return { ...facts, ...Object.fromEntries(own) } as GroupSeries;
  });
}
