import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';

import { fetchChartLines, type ChartLines } from '@/api/chart_lines';
import { ApiError } from '@/api/client';

const RETRY = 2_000;

/** The formulas of charts as parsed by the server, by the chart's text. */
export const useChartLines = defineStore('chart_lines', () => {
  const parsed = shallowReactive(new Map<string, ChartLines>());
  const requested = new Set<string>();

  async function parse(text: string): Promise<ChartLines> {
    const found = parsed.get(text) ?? (await fetchChartLines(text));
    parsed.set(text, found);
    return found;
  }

  async function load(texts: readonly string[]): Promise<void> {
    const missing = texts.filter((text) => !requested.has(text));
    for (const text of missing) requested.add(text);
    await Promise.all(missing.map(loadOne));
  }

  async function loadOne(text: string): Promise<void> {
    try {
      await parse(text);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      requested.delete(text);
      if (reason.unreachable) setTimeout(() => void load([text]), RETRY);
    }
  }

  function of(text: string): ChartLines | undefined {
    return parsed.get(text);
  }

  return { parse, load, of };
});
