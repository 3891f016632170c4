import type { InjectionKey } from 'vue';

import type { ChartLine, ChartLines } from '@/api/chart_lines';
import type { CardPlace } from '@/cards/sections';

export interface ChartSpec extends CardPlace {
  readonly lines: readonly ChartLine[];
  readonly tags: readonly string[];
  /** Null: the chart of a tag. */
  readonly text: string | null;
}

/** Whether the page shows charts that users add, and pinned ones. */
export const OWN_CHARTS: InjectionKey<boolean> = Symbol('own charts');

/** A tag in the text of a chart. */
export function wordOf(tag: string): string {
  if (/^\p{L}[\p{L}\p{N}_.]*(\/[\p{L}\p{N}_.]+)*$/u.test(tag)) return tag;
  return tag === '' || tag.includes('"') ? formulaOf(tag) : `"${tag}"`;
}

const formulaOf = (tag: string): string => `\`${tag.replaceAll('`', '``')}\``;

export function tagChart(tag: string, section?: string): ChartSpec {
  const place =
    section === undefined
      ? { key: tag, tag, called: tag }
      : { key: `${section} ${tag}`, tag, called: `pin ${tag}`, section };
  const formula = formulaOf(tag);
  return { ...place, lines: [{ formula, label: tag, tags: [tag], tag }], tags: [tag], text: null };
}

export const writtenChart = (text: string, { lines }: ChartLines, section: string): ChartSpec => ({
  key: `=${text}`,
  called: `=${text}`,
  tag: lines.map(({ label }) => label).join(', '),
  section,
  lines,
  tags: [...new Set(lines.flatMap(({ tags }) => tags))],
  text,
});
