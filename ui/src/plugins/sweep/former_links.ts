import type { LocationQuery, LocationQueryRaw } from 'vue-router';

import { namesField } from '@/base/url_fields';

const NAMES = namesField();
/** Arguments with names of columns. */
const NAMED = new Set(['sort', 'brush', 'tint']);

/** Links to the page of parameters. With `view=data`, they lead to the page of datasets. */
export const lineageLink = (query: LocationQuery): LocationQueryRaw | null =>
  query['view'] === 'data' ? null : withAxes(query);

/** Links to the page of session groups, whose columns were `h/<parameter>` and `m/<metric>`. */
export function hparamsLink(query: LocationQuery): LocationQueryRaw {
  const kept = Object.entries(query).filter(([name]) => name !== 'show' && name !== 'open');
  const renamed = kept.map(([name, text]) => [
    name,
    NAMED.has(name) && typeof text === 'string' ? renamedIn(text) : text,
  ]);
  return withAxes(Object.fromEntries(renamed) as LocationQuery);
}

const renamedIn = (text: string): string => NAMES.write((NAMES.read(text) ?? []).map(fieldOf));

/** Axes were linear unless the link said otherwise, and lines had the colors of their runs. */
const withAxes = (query: LocationQuery): LocationQueryRaw => ({
  ...query,
  ...(query['brush'] !== undefined && query['scale'] === undefined ? { scale: 'linear' } : {}),
});

const fieldOf = (column: string): string =>
  column.replace(/^(-?)(h|m)\//, (_, minus: string, kind: string) =>
    kind === 'm' ? `${minus}metric/` : minus,
  );
