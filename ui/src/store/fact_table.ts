import type { LineageColumns } from '@/api/lineage';
import type { FieldOverview } from '@/api/train_jobs';
import { unpacked } from '@/api/packed_columns';
import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';
import { ownValue } from '@/base/own_value';

const FIRST = [
  'network',
  'optimizer',
  'learning_rate',
  'epoch',
  'batch_size',
  'loss_function',
  'loss',
];
const NONE: readonly Value[] = [];

type Facts = Pick<LineageColumns, 'train_id' | 'columns'>;

/** Hyperparameters and results of jobs by column, read on demand. */
export class FactTable {
  readonly names: readonly string[];
  readonly size: number;
  private readonly rows: ReadonlyMap<string, number>;
  private readonly read = new Map<string, readonly Value[]>();

  /** `overview`: of the columns of all runs, if the answer lacks some. */
  constructor(
    private readonly answer: Facts,
    private readonly overview: Readonly<Record<string, FieldOverview>> = {},
  ) {
    this.names = [...new Set([...Object.keys(overview), ...Object.keys(answer.columns)])].sort(
      naturalOrder,
    );
    this.size = answer.train_id.length;
    this.rows = new Map(answer.train_id.map((id, row) => [id, row]));
  }

  column(name: string): readonly Value[] {
    const known = this.read.get(name);
    if (known) return known;
    const packed = ownValue(this.answer.columns, name);
    const column = packed === undefined ? NONE : unpacked(packed, loggedValue);
    this.read.set(name, column);
    return column;
  }

  /** The facts of these runs: of the answers, else those of this table. */
  with(
    trainIds: readonly string[],
    answers: readonly Facts[],
    overview: Readonly<Record<string, FieldOverview>> = {},
  ): FactTable {
    const newer = answers.map((answer) => new FactTable(answer));
    const tables = [...newer, this];
    const held = trainIds.flatMap((id) => {
      const table = tables.find(({ rows }) => rows.has(id));
      return table ? [[id, table] as const] : [];
    });
    const columns: Record<string, readonly Value[]> = {};
    for (const name of new Set(tables.flatMap(({ answer }) => Object.keys(answer.columns)))) {
      const getters = new Map(tables.map((table) => [table, table.getter(name)]));
      const column = held.map(([id, table]) => getters.get(table)?.(id) ?? null);
      if (column.some(isThere)) columns[name] = column;
    }
    return new FactTable({ train_id: held.map(([id]) => id), columns }, overview);
  }

  has(trainId: string): boolean {
    return this.rows.has(trainId);
  }

  getter(name: string): (trainId: string) => Value {
    const column = this.column(name);
    return (trainId) => column[this.rows.get(trainId) ?? -1];
  }

  valueOf(trainId: string, name: string): Value {
    return this.getter(name)(trainId);
  }

  /** All facts of a job, as `[name, value]`. */
  of(trainId: string): (readonly [string, NonNullable<Value>])[] {
    const logged = Object.keys(this.answer.columns);
    return [...new Set([...FIRST, ...logged])].flatMap((name) => {
      const value = this.valueOf(trainId, name);
      return value === null || value === undefined ? [] : [[name, value] as const];
    });
  }

  isNumeric(name: string): boolean {
    const known = ownValue(this.overview, name);
    return known ? known.kind === 'number' : typeof this.column(name).find(isThere) === 'number';
  }

  /** The number of runs with a value. */
  count(name: string): number {
    return ownValue(this.overview, name)?.count ?? this.column(name).filter(isThere).length;
  }

  differs(name: string): boolean {
    const known = ownValue(this.overview, name);
    if (known) return known.differs;
    const column = this.column(name);
    const first = column.find(isThere);
    return column.some((value) => isThere(value) && value !== first);
  }
}

function isThere(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}

/** Restore numbers that JSON cannot hold; structured values become text. */
export function loggedValue(value: unknown): Value {
  switch (value) {
    case 'NaN':
      return NaN;
    case 'Infinity':
      return Infinity;
    case '-Infinity':
      return -Infinity;
    case null:
    case undefined:
      return null;
  }
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}
