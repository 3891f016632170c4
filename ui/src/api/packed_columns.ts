/** One cell per row, or the distinct cells and a code per row. */
export type PackedColumn<Cell> =
  readonly Cell[] | { readonly values: readonly Cell[]; readonly codes: readonly number[] };

/** The cells by row; distinct cells are read once. */
export function unpacked<Cell, Read>(
  column: PackedColumn<Cell>,
  read: (cell: Cell) => Read,
): readonly Read[] {
  if (!('codes' in column)) return column.map(read);
  const values = column.values.map(read);
  // The server makes sure that each code has a value.
  return column.codes.map((code) => values[code] as Read);
}

export type PackedRows<Row> = { readonly [Name in keyof Row]: PackedColumn<Row[Name]> };

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
