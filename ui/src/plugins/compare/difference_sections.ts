import type { DifferenceRow } from './api';

export interface Section<Group extends string, Row> {
  /** `partial`: runs that have the field have one value. */
  readonly name: Group | 'partial';
  readonly rows: readonly Row[];
}

/** Rows by group; last those of fields that differ only because some runs lack them. */
export function differenceSections<
  Group extends string,
  Row extends Pick<DifferenceRow, 'values'> & { readonly group: Group },
>(groups: readonly Group[], rows: readonly Row[]): Section<Group, Row>[] {
  const differing = rows.filter((row) => !isPartial(row));
  return [
    ...groups.map((name) => ({ name, rows: differing.filter(({ group }) => group === name) })),
    { name: 'partial' as const, rows: rows.filter(isPartial) },
  ].filter((section) => section.rows.length > 0);
}

const isPartial = ({ values }: Pick<DifferenceRow, 'values'>): boolean =>
  new Set(values.flatMap((value) => (value === null ? [] : [JSON.stringify(value)]))).size < 2;
