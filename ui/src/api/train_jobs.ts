import { getJson, inTime, postForJson, postJson } from './client';
import type { SeverityCounts } from './findings';
import { rowsOf, type PackedRows } from './packed_columns';
import type { Finding, LoadStatus } from './status';
import { logTag } from './tags';

/** Milliseconds until a list of runs without an answer has failed: the server gives up earlier. */
const LONGEST_LISTING = 120_000;

export type CacheStatus = 'NOT_IN_CACHE' | 'CACHING' | 'CACHED';

export interface TrainJob {
  readonly train_id: string;
  readonly update_timestamp: number;
  readonly create_timestamp: number;
  readonly cache_status: CacheStatus;
  readonly formats: readonly string[];
  readonly summary_files: number;
  readonly graph_files: number;
  readonly lineage_files: number;
  readonly display_name: string;
  /** `success`, `failure`, `running` or `unknown`; null if the log has none. */
  readonly session_status: string | null;
  readonly points: number;
  readonly bytes: number;
  /** Increases with every change of this job. */
  readonly version: number;
  /** Whether its problems, if it has any, lost no data. */
  readonly is_integrity: boolean;
  readonly problems: readonly Finding[];
  readonly problem_count: number;
  /** In its series; null if they are not checked yet. */
  readonly events?: SeverityCounts | null;
  /** plugin_name -> tags as logged; empty for jobs that are not loaded. */
  readonly plugins: Readonly<Record<string, readonly string[]>>;
}

export interface TrainJobPage {
  readonly name: string;
  readonly total: number;
  readonly load_status: LoadStatus;
  readonly train_jobs: readonly TrainJob[];
}

export async function fetchTrainJobs(page: number, limit: number): Promise<TrainJobPage> {
  const answer = await inTime(LONGEST_LISTING, (signal) =>
    getJson<TrainJobPage>('datavisual/train-jobs', { offset: page, limit }, signal),
  );
  return { ...answer, train_jobs: answer.train_jobs.map(withLoggedTags) };
}

/** Which runs, and in which order; the server's documentation has the fields. None: all runs. */
export interface RunsQuestion {
  readonly filter?: string;
  /** Also archived runs. */
  readonly archived?: boolean;
  readonly order?: readonly string[];
  readonly train_id?: readonly string[];
  /** Only runs with data of one of these plugins. */
  readonly plugin?: readonly string[];
  /** Only the runs of the group of this key. */
  readonly by?: readonly string[];
  readonly group?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Of the first request: the page does not know yet how many runs there are. */
export const FIRST_RUNS: RunsQuestion = { order: ['-updated'], archived: true, limit: 1_000 };

interface Counted {
  readonly data_version: number;
  /** All runs, and those that match, on all pages. */
  readonly total: number;
  readonly matching: number;
}

export interface RunRows extends Counted {
  readonly load_status: LoadStatus;
  /** With more runs, the page asks for pages of them. */
  readonly most_listed: number;
  readonly train_jobs: readonly TrainJob[];
}

/** Rows of runs; without a question all, last updated first. Equal cells are shared. */
export async function fetchRunRows(question: RunsQuestion = {}): Promise<RunRows> {
  const { columns, ...answer } = await askRuns<
    RunRows & { readonly columns: PackedRows<TrainJob> }
  >('datavisual/train-job-columns', question);
  return { ...answer, train_jobs: rowsOf(columns) };
}

export interface RunIds extends Counted {
  readonly train_ids: readonly string[];
}

export const fetchRunIds = (question: RunsQuestion): Promise<RunIds> =>
  askRuns('datavisual/train-job-ids', question);

export interface RunGroup {
  /** Of the fields of the answer; null: missing. */
  readonly values: readonly LoggedValue[];
  /** Null: of the runs without values. */
  readonly key: string | null;
  readonly count: number;
  readonly columns: Readonly<Record<string, GroupColumn>>;
}

/** The value that all runs of a group share, and statistics of finite numbers. */
export interface GroupColumn {
  readonly value: LoggedValue;
  readonly mean?: number | null;
  readonly std?: number | null;
  readonly n?: number;
}

type LoggedValue = string | number | boolean | null;

export interface RunGroups extends Counted {
  /** What the grouping resolves to. */
  readonly fields: readonly string[];
  readonly group_count: number;
  readonly groups: readonly RunGroup[];
}

/** A page of groups of the runs that match; `order`, `offset` and `limit` are of groups. */
export const fetchRunGroups = (
  question: RunsQuestion,
  columns: readonly string[],
): Promise<RunGroups> => askRuns('datavisual/train-job-groups', { ...question, column: columns });

/** What the page needs to know of all runs without their rows. */
export interface RunOverview {
  readonly data_version: number;
  readonly total: number;
  /** Numbers of runs by plugin with data, format and scalar tag. */
  readonly plugins: Readonly<Record<string, number>>;
  readonly formats: Readonly<Record<string, number>>;
  readonly scalar_tags: Readonly<Record<string, number>>;
  /** Of runs that logged no metrics. */
  readonly unmeasured_tags: Readonly<Record<string, number>>;
  /** Number of runs with files of lineages. */
  readonly lineages: number;
  readonly fields: Readonly<Record<string, FieldOverview>>;
  /** Names under which config and results are shown, and those they replace. */
  readonly parameters: readonly string[];
  readonly shown_as: Readonly<Record<string, string>>;
}

export interface FieldOverview {
  readonly kind: string;
  /** Of runs. */
  readonly count: number;
  readonly differs: boolean;
}

export const fetchRunOverview = (): Promise<RunOverview> =>
  getJson('datavisual/train-job-overview');

/** The most frequent values of a field, as texts. */
export async function fetchFieldValues(field: string): Promise<readonly string[]> {
  const { values } = await getJson<{ readonly values: readonly string[] }>(
    'datavisual/train-job-values',
    { field },
  );
  return values;
}

/** URLs have a maximum length. */
const MOST_IN_URL = 40;

export function askRuns<Answer>(
  route: string,
  question: RunsQuestion & { readonly column?: readonly string[] },
): Promise<Answer> {
  const { archived, ...rest } = question;
  return inTime(LONGEST_LISTING, (signal) =>
    (rest.train_id?.length ?? 0) > MOST_IN_URL
      ? postForJson(route, question, signal)
      : getJson(route, { ...rest, archived: archived === true ? 'true' : undefined }, signal),
  );
}

export const loadTrainJobs = async (trainIds: readonly string[]): Promise<void> =>
  await postJson('datavisual/train-job-caches', { train_ids: trainIds });

function withLoggedTags(job: TrainJob): TrainJob {
  const plugins: Record<string, readonly string[]> = {};
  for (const [name, tags] of Object.entries(job.plugins)) {
    if (tags.length > 0) plugins[name] = tags.map((tag) => logTag(name, tag));
  }
  return { ...job, plugins };
}
