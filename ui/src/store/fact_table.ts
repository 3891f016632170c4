import type { LineageColumns } from '@/api/lineage';
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

/** Hyperparameters and results of jobs by column, read on demand. */
export class FactTable {
  readonly names: readonly string[];
  readonly size: number;
  private readonly rows: ReadonlyMap<string, number>;
  private readonly read = new Map<string, readonly Value[]>();

  constructor(private readonly answer: Pick<LineageColumns, 'train_id' | 'columns'>) {
    this.names = Object.keys(answer.columns).sort(naturalOrder);
    this.size = answer.train_id.length;
    this.rows = new Map(answer.train_id.map((id, row) => [id, row]));
  }

  column(name: string): readonly Value[] {
    const known = this.read.get(name);
    if (known) return known;
    const packed = ownValue(this.answer.columns, name);
    const column = packed === undefined ? NONE : unpacked(packed, valueOf);
    this.read.set(name, column);
    return column;
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
    return typeof this.column(name).find(isThere) === 'number';
  }

  differs(name: string): boolean {
    const column = this.column(name);
    const first = column.find(isThere);
    return column.some((value) => isThere(value) && value !== first);
  }
}

function isThere(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}

/** Restore numbers that JSON cannot hold; structured values become text. */
function valueOf(value: unknown): Value {
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
