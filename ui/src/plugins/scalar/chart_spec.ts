import {
  ExpressionError,
  parseExpressions,
  tagsOf,
  textOf,
  type Expression,
} from '@/base/expression';
import type { CardPlace } from '@/cards/sections';

/** What a chart draws: one tag, or what somebody wrote. */
export interface ChartSpec extends CardPlace {
  readonly expressions: readonly Expression[];
  /** All tags that are needed. */
  readonly tags: readonly string[];
  /** As written; null for the chart of a tag. */
  readonly text: string | null;
}

export function tagChart(tag: string, section?: string): ChartSpec {
  const place =
    section === undefined
      ? { key: tag, tag, called: tag }
      : { key: `${section} ${tag}`, tag, called: `pin ${tag}`, section };
  return { ...place, expressions: [{ kind: 'tag', tag }], tags: [tag], text: null };
}

/** The chart of a text; null where the text means nothing, as one in an old link may. */
export function writtenChart(text: string, section: string): ChartSpec | null {
  try {
    const expressions = parseExpressions(text);
    const tags = [...new Set(expressions.flatMap(tagsOf))];
    return {
      key: `=${text}`,
      called: `=${text}`,
      tag: expressions.map(textOf).join(', '),
      section,
      expressions,
      tags,
      text,
    };
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
