import { postForJson } from './client';

export interface GroupQuestion {
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly x: 'step' | 'relative' | 'wall';
  readonly start?: number;
  readonly end?: number;
  readonly max_points: number;
  readonly smoothing?: string;
}

type Column = readonly (number | null)[];

/** Statistics of one group and tag as columns over `x`; null: not a number. */
export interface GroupSeries {
  readonly name: string;
  readonly tag: string;
  readonly series: number;
  readonly points: number;
  readonly x: readonly number[];
  readonly n: readonly number[];
  readonly mean: Column;
  readonly median: Column;
  readonly min: Column;
  readonly max: Column;
  readonly std: Column;
  readonly confidence: Column;
}

export async function fetchGroups(
  question: GroupQuestion,
  tags: readonly string[],
): Promise<readonly GroupSeries[]> {
  const answer = await postForJson<{ groups: readonly GroupSeries[] }>(
    'datavisual/scalars/groups',
    { ...question, tags },
  );
  return answer.groups;
}
