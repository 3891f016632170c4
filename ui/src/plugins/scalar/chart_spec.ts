import type { ChartLine, ChartLines } from '@/api/chart_lines';
import type { CardPlace } from '@/cards/sections';

export interface ChartSpec extends CardPlace {
  readonly lines: readonly ChartLine[];
  readonly tags: readonly string[];
  /** Null: the chart of a tag. */
  readonly text: string | null;
}

export function tagChart(tag: string, section?: string): ChartSpec {
  const place =
    section === undefined
      ? { key: tag, tag, called: tag }
      : { key: `${section} ${tag}`, tag, called: `pin ${tag}`, section };
  const formula = `\`${tag.replaceAll('`', '``')}\``;
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
