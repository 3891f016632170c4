/**
 * Keys under which rows are mounted. In another list, new rows reuse elements of removed rows:
 * creating them takes three times as long as changing them. Elements are not reused while scrolling
 * within a list, and never the focused one.
 */
export class RowKeys {
  private list: unknown = null;
  private keys = new Map<string, number>();
  private made = 0;

  /** Keys of the visible rows of a list; `held`: the focused row. */
  of(list: unknown, rows: readonly string[], held: string | null): number[] {
    const there = new Set(rows);
    const gone = [...this.keys].flatMap(([row, key]) =>
      there.has(row) || row === held ? [] : [key],
    );
    const free = list === this.list ? [] : gone.reverse();
    this.list = list;
    this.keys = new Map(rows.map((row) => [row, this.keys.get(row) ?? free.pop() ?? this.made++]));
    return [...this.keys.values()];
  }
}
