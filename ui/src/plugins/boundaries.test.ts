import { expect, test } from 'vitest';

import type { Plugin } from './plugin';
import { dataOf, plugins } from './registry';

const sources = Object.entries(
  import.meta.glob<string>(['../**/*.{ts,vue,css}', '!../**/*.test.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
).map(([path, source]) => ({
  path: path.startsWith('./') ? `plugins${path.slice(1)}` : path.slice('../'.length),
  // Places of pages share some of their names.
  source: source.replace(/\/\*[^]*?\*\/|<style[^]*|^\s*\/\/.*$|^ {2}place: '\w+',$/gm, ''),
}));

/** The files outside a plugin's folder that may name it, by the start of their paths, and why. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compare: {
    'base/job_query.ts': 'the word has another meaning',
    'plugins/runs/BulkActions.vue': 'a link',
  },
  curves: { 'store/series.ts': 'limits the steps of large series' },
  data_lineage: { 'plugins/sweep/SweepTable.vue': 'a link' },
  health: {
    'app/FindingsBox.vue': 'a link',
    'app/TopBar.vue': 'a link',
    'jobs/EventCounts.vue': 'a link',
  },
  histogram: { 'plugins/tensor/': 'the server computes histograms of tensors' },
  landscape: { 'api/snapshot/': 'joins its answers recorded for single runs' },
  runs: {
    'jobs/DashboardLink.vue': 'a link',
    'store/opened_job.ts': 'a link',
    'store/selection_url.ts': 'the argument in the URL',
  },
  scalar: {
    'api/': 'last values of scalars are fields of runs',
    'app/SnapshotBox.vue': 'says which series are reduced',
    'notebook/': 'shows its charts in notebooks',
    'store/': 'last values of scalars are fields of runs',
    'plugins/custom_scalars/': 'its charts have the lines of scalars',
    'plugins/health/place_link.ts': 'a link',
    'plugins/runs/': 'last values of scalars are fields of runs',
    'plugins/sweep/': 'last values of scalars are results of runs',
  },
  sweep: { 'plugins/data_lineage/': 'a link' },
  tensor: { 'plugins/histogram/': 'the server computes histograms of tensors' },
  text: {
    'base/': 'the word has another meaning',
    'charts/': 'an element of SVG',
    'plugins/graph/': 'an element of SVG',
  },
};

/** Mentions of a plugin in a source: imports, messages, and strings with its name or data kind. */
function mentions(source: string, plugin: Plugin): string[] {
  const { name, parts = [] } = plugin;
  const data = dataOf(plugin).filter((one) => plugins.every((other) => other.name !== one));
  const names = [name, ...data, ...parts].join('|');
  return [
    String.raw`(?:@/plugins|\.\.?)/${name}/[\w.]+`,
    // In a template, the value of a bound attribute is code; `class`, `type` and `name` are HTML's.
    String.raw`(?<!(?:[:@][\w-]+|v-[\w-]+|class|type|name)=")(?<=['"\x60]/?)(?:page\.)?(?:${names})(?=['"\x60?])`,
    String.raw`(?<!@/api)/(?:${names})(?=['"\x60?/])`,
    String.raw`(?<=\bt\(['"\x60])${name}\.\w+`,
  ].flatMap((pattern) => source.match(new RegExp(pattern, 'g')) ?? []);
}

test('no file outside a plugin’s folder names the plugin or imports from it', () => {
  const used = new Set<string>();
  const found = plugins.flatMap((plugin) => {
    const allowed = Object.keys(ALLOWED[plugin.name] ?? {});
    return sources
      .filter(({ path }) => !path.startsWith(`plugins/${plugin.name}/`))
      .flatMap(({ path, source }) =>
        mentions(source, plugin).flatMap((text) => {
          const start = allowed.find((one) => path.startsWith(one));
          if (start === undefined) return [`${path}: ${text}`];
          used.add(`${plugin.name} in ${start}`);
          return [];
        }),
      );
  });
  expect(found).toEqual([]);
  const needless = Object.entries(ALLOWED).flatMap(([name, starts]) =>
    Object.keys(starts).flatMap((start) =>
      used.has(`${name} in ${start}`) ? [] : [`${name} in ${start}`],
    ),
  );
  expect(needless).toEqual([]);
});

test('detects a mention of a plugin', () => {
  const plugin = plugins.find(({ name }) => name === 'mesh');
  if (!plugin) throw new Error('There is no such plugin.');
  for (const text of [
    "import { a } from '@/plugins/mesh/api';",
    "import { a } from '../mesh/api';",
    "const name = 'mesh';",
    'const link = `/mesh?runs=a`;',
    "t('mesh.empty')",
    "t('page.mesh')",
    "fetch('series/mesh/blob')",
  ])
    expect(mentions(text, plugin), text).not.toEqual([]);
  expect(mentions("const meshes = 'meshes';", plugin)).toEqual([]);
});
