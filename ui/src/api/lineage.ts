import { postForJson, putJson } from './client';
import type { PackedColumn } from './packed_columns';
import { askRuns, type RunsQuestion } from './train_jobs';

export type LineageValue = string | number | boolean | null;

/** Annotations of a job; missing fields are not set. */
export interface Annotation {
  /** Number of a mark, 1 to 10; 0: none. */
  readonly tag?: number;
  readonly remark?: string;
  readonly notes?: string;
  readonly hidden?: boolean;
  readonly pinned?: boolean;
  /** `#rrggbb` */
  readonly colour?: string | null;
  readonly group?: string;
}

export interface DatasetNode {
  readonly children?: readonly DatasetNode[];
  readonly op_type?: string;
  readonly [parameter: string]: unknown;
}

/** Hyperparameters and results of a job. */
export interface LineageRow {
  readonly summary_dir: string;
  readonly model_lineage?: Readonly<Record<string, unknown>> & {
    readonly metric: Readonly<Record<string, LineageValue>>;
    readonly user_defined: Readonly<Record<string, LineageValue>>;
  };
  readonly dataset_graph?: DatasetNode;
  readonly added_info: Annotation;
  readonly session_status: string | null;
  readonly columns?: Readonly<Record<string, LineageValue>>;
}

export interface LineageAnswer {
  readonly count: number;
  readonly object: readonly LineageRow[];
  readonly annotations_unavailable?: string;
}

/** Jobs that match a condition; `docs/lineage.md` documents the language. */
export const searchLineages = (
  question: Readonly<Record<string, unknown>>,
): Promise<LineageAnswer> => postForJson('lineagemgr/lineages', question);

export interface LineageColumns {
  /** At least as new as the status of this version. */
  readonly data_version: number;
  /** All runs. */
  readonly total: number;
  readonly train_id: readonly string[];
  readonly columns: Readonly<Record<string, PackedColumn<unknown>>>;
}

/** With these scalar columns, for example `scalar/loss/last`. Empty columns are left out. */
export const fetchLineageColumns = (
  scalars: readonly string[],
  runs: RunsQuestion = {},
): Promise<LineageColumns> => askRuns('lineagemgr/lineage-columns', { ...runs, column: scalars });

export const annotate = async (trainId: string, changes: Annotation): Promise<void> =>
  await putJson('lineagemgr/lineages', { train_id: trainId }, changes);

/** The influence of a hyperparameter on a result. */
export interface ParameterImportance {
  readonly name: string;
  readonly kind: 'number' | 'category';
  /** Absolute value of Pearson's correlation, or the multiple correlation of a category. */
  readonly importance: number;
  readonly reason_code?: number;
  readonly spearman: number | null;
  readonly samples: number;
  /** The share of the variance on unseen runs, by random forests; null: too few runs. */
  readonly permutation: {
    readonly importance: number;
    readonly low: number;
    readonly high: number;
  } | null;
}

export interface ImportanceTarget {
  readonly name: string;
  readonly data: readonly (number | string | null)[];
  readonly buckets: readonly (readonly [left: number, width: number, count: number])[];
  readonly samples: number;
  readonly warning: string | null;
  readonly hyper_parameters: readonly ParameterImportance[];
}

export interface ImportanceAnswer {
  readonly metadata: {
    readonly train_ids: readonly string[];
  };
  readonly targets: readonly ImportanceTarget[];
}

export interface ImportanceQuestion {
  readonly trainIds: readonly string[];
  readonly parameters: readonly string[];
  readonly target: string;
}

/** Ranks parameters for one result, within about two seconds. */
export const searchImportances = (question: ImportanceQuestion): Promise<ImportanceAnswer> =>
  postForJson('optimizer/targets/search', {
    summary_dir: { in: question.trainIds },
    parameters: question.parameters,
    targets: [question.target],
  });
