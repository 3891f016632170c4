/**
 * Under which keys rows are mounted. When another list is shown, rows that come take over the elements of rows that
 * are gone: to make elements costs three times as much as to change them. They do not while one list is scrolled,
 * and never the one element that somebody is about to use: it must not come to stand for another row.
 */
export class RowKeys {
  private list: unknown = null;
  private keys = new Map<string, number>();
  private made = 0;

  /** The keys of these rows, which are what is seen of the list; `held`: the row that has the focus. */
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
