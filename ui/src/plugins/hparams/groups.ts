import { ownValue } from '@/base/own_value';
import { jobName } from '@/store/job_name';

export type Parameter = number | string | boolean | null;

export interface MetricSummary {
  readonly n: number;
  readonly avg: number | null;
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface Session {
  readonly train_id: string;
  readonly hyper_parameters: Readonly<Record<string, Parameter>>;
  readonly metrics: Readonly<
    Record<string, { readonly value: number | null; readonly step: number | null }>
  >;
  readonly status: string;
  readonly start_time: number | null;
}

export interface SessionGroup {
  readonly name: string;
  /** Those in which all of its sessions agree. */
  readonly hyper_parameters: Readonly<Record<string, Parameter>>;
  readonly metrics: Readonly<Record<string, MetricSummary>>;
  readonly sessions: readonly Session[];
}

export interface HparamsOverview {
  readonly hyper_parameters: readonly {
    readonly name: string;
    readonly kind: string;
    readonly differs: boolean;
  }[];
  readonly metrics: readonly string[];
  readonly session_groups: readonly SessionGroup[];
}

export const STATISTICS = ['avg', 'median', 'min', 'max'] as const;
export type Statistic = (typeof STATISTICS)[number];

export interface Column {
  /** `h/<name>` or `m/<name>`. */
  readonly key: string;
  readonly kind: 'parameter' | 'metric';
  readonly name: string;
}

/** Parameters that differ (all, if none does), then metrics. */
export function columnsOf(overview: HparamsOverview, every: boolean): Column[] {
  const all = every || !hasDifference(overview);
  return [
    ...overview.hyper_parameters
      .filter(({ differs }) => all || differs)
      .map(({ name }): Column => ({ key: `h/${name}`, kind: 'parameter', name })),
    ...overview.metrics.map((name): Column => ({ key: `m/${name}`, kind: 'metric', name })),
  ];
}

export function hasDifference(overview: HparamsOverview): boolean {
  return overview.hyper_parameters.some(({ differs }) => differs);
}

/** A group's value in a column; undefined: none, or its sessions differ. */
export const valueOf = (
  group: SessionGroup,
  column: Column,
  statistic: Statistic,
): Parameter | undefined =>
  column.kind === 'parameter'
    ? ownValue(group.hyper_parameters, column.name)
    : ownValue(group.metrics, column.name)?.[statistic];

export function sessionTable(
  groups: readonly SessionGroup[],
  columns: readonly Column[],
): string[][] {
  const text = (value: Parameter | undefined): string =>
    value === null || value === undefined ? '' : String(value);
  const rows = groups.flatMap((group) =>
    group.sessions.map((session) => [
      group.name,
      jobName(session.train_id),
      session.status,
      ...columns.map((column) => text(sessionValue(session, column))),
    ]),
  );
  return [['group', 'run', 'status', ...columns.map(({ name }) => name)], ...rows];
}

/** Undefined: none. */
export function sessionValue(session: Session, column: Column): Parameter | undefined {
  return column.kind === 'parameter'
    ? ownValue(session.hyper_parameters, column.name)
    : ownValue(session.metrics, column.name)?.value;
}

/** A key that is stable across reloads: the name, or the first session. */
export const groupKey = (group: SessionGroup): string =>
  group.name || (group.sessions[0]?.train_id ?? '');
