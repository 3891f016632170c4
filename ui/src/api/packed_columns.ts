/** A column of a table of many rows: a cell for each, or the distinct cells and which of them each row has. */
export type PackedColumn<Cell> =
  readonly Cell[] | { readonly values: readonly Cell[]; readonly codes: readonly number[] };

/** The cells by row; distinct ones are `read` once, however many rows have them. */
export function unpacked<Cell, Read>(
  column: PackedColumn<Cell>,
  read: (cell: Cell) => Read,
): readonly Read[] {
  if (!('codes' in column)) return column.map(read);
  const values = column.values.map(read);
  // A code has a value: the server counts them together.
  return column.codes.map((code) => values[code] as Read);
}

/** A table of these rows. */
export type PackedRows<Row> = { readonly [Name in keyof Row]: PackedColumn<Row[Name]> };

/** The rows of a table, all of them made alike. */
export function rowsOf<Row extends object>(columns: PackedRows<Row>): Row[] {
  const cells = Object.entries<PackedColumn<unknown>>(columns).map(
    ([name, column]) => [name, unpacked(column, (cell) => cell)] as const,
  );
  return (cells[0]?.[1] ?? []).map((_, at) => {
    const row: Record<string, unknown> = {};
    for (const [name, column] of cells) row[name] = column[at];
    return row as Row;
  });
}
