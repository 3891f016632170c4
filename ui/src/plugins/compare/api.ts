import { getJson, postForJson } from '@/api/client';

/** Fields in which runs differ; `values` in the order of `train_ids`. */
export interface LineageDifference {
  readonly train_ids: readonly string[];
  readonly hyper_parameters: readonly DifferenceRow[];
  readonly user_defined: readonly DifferenceRow[];
  readonly dataset_graph: readonly DifferenceRow[];
  readonly metrics: readonly DifferenceRow[];
  readonly scalars: readonly DifferenceRow[];
}

export interface DifferenceRow {
  readonly name: string;
  readonly values: readonly unknown[];
}

export const diffLineages = (trainIds: readonly string[]): Promise<LineageDifference> =>
  postForJson('lineagemgr/diff', { train_ids: trainIds });

/** JSON has no NaN and infinities: they are strings. */
export type ParityNumber = number | 'NaN' | 'Infinity' | '-Infinity';

export interface MissingSteps {
  readonly count: number;
  readonly ranges: readonly (readonly [number, number])[];
}

interface Largest {
  readonly size: ParityNumber;
  readonly step: number;
}

export interface SeriesParity {
  readonly common_steps: number;
  readonly different_steps: number;
  readonly first: {
    readonly step: number;
    /** A number (`NaN` and infinities as text), or a text that describes another value. */
    readonly a: number | string;
    readonly b: number | string;
    /** Of the first different element of an array. */
    readonly index: readonly number[];
  } | null;
  readonly largest_absolute: Largest | null;
  readonly largest_relative: Largest | null;
  readonly non_finite_steps: number;
  readonly missing_a: MissingSteps;
  readonly missing_b: MissingSteps;
  readonly window: readonly [number, number] | null;
  /** Steps whose values are damaged or too large. */
  readonly uncompared_steps: number;
}

export interface TagParity {
  readonly plugin_name: string;
  readonly tag: string;
  readonly tag_b: string;
  readonly status: 'different' | 'only_a' | 'only_b' | 'not_compared' | 'equal';
  readonly series: SeriesParity | null;
}

export interface LostData {
  readonly path: string;
  readonly kind: string;
  readonly detail: string;
}

/** The answer of `parity`, with the first tags. */
export interface RunParity {
  readonly total: number;
  readonly equal: boolean;
  readonly counts: Readonly<Record<TagParity['status'], number>>;
  readonly tags: readonly TagParity[];
  readonly config: readonly {
    readonly name: string;
    readonly name_b: string;
    readonly a: unknown;
    readonly b: unknown;
  }[];
  readonly parameters: number;
  /** Plugins whose values are not compared. */
  readonly other_tags: readonly { readonly plugin_name: string; readonly tags: number }[];
  readonly unused_rules: readonly string[];
  readonly lost_data: { readonly a: readonly LostData[]; readonly b: readonly LostData[] };
}

export interface ParityQuestion {
  readonly a: string;
  readonly b: string;
  readonly rtol: string;
  readonly atol: string;
  readonly map: readonly string[];
}

export const compareRuns = (question: ParityQuestion & { limit: number }): Promise<RunParity> =>
  getJson('parity', { ...question });
