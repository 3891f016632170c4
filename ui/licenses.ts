import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Plugin, Rolldown } from 'vite';

const FILE_NAME = 'THIRD_PARTY_LICENSES.md';

/** What packages hold copies of in files of their own, where no bundler sees it. */
const INLINED: Readonly<Record<string, readonly string[]>> = {
  '@dagrejs/dagre': ['@dagrejs/graphlib'],
  'ml-matrix': ['is-any-array', 'ml-array-max', 'ml-array-min', 'ml-array-rescale'],
};

/**
 * Lists the packages of which something is bundled, with their licenses. Vite's own `build.license` leaves out
 * workers, which are bundles of their own, and files that are copied as they are.
 */
export function licenses(): { page: Plugin; worker: Plugin } {
  const files = new Set<string>();
  let root = '';

  const collect = (bundle: Rolldown.OutputBundle): void => {
    for (const file of Object.values(bundle)) {
      for (const id of file.type === 'chunk' ? file.moduleIds : file.originalFileNames) {
        const path = id.replace(/^\0/, '').replace(/\?.*$/, '');
        if (path.includes('node_modules/')) files.add(resolve(root, path));
      }
    }
  };

  return {
    worker: {
      name: 'mindviz:licenses-of-workers',
      configResolved(config) {
        root = config.root;
      },
      generateBundle(_, bundle) {
        collect(bundle);
      },
    },
    page: {
      name: 'mindviz:licenses',
      apply: 'build',
      configResolved(config) {
        root = config.root;
      },
      // Workers are bundled where the page refers to them, and so before it.
      generateBundle(_, bundle) {
        collect(bundle);
        this.emitFile({
          type: 'asset',
          fileName: FILE_NAME,
          source: listOf([...files].map(folderOf), root),
        });
      },
    },
  };
}

function listOf(folders: readonly string[], root: string): string {
  const inlined = folders.flatMap((folder) => INLINED[manifestIn(folder)?.name ?? ''] ?? []);
  const all = [...folders, ...inlined.map((name) => join(root, 'node_modules', name))];
  const entries = [...new Set(all)].map(entryOf).sort();
  return `# Licenses\n\nThe page bundles these packages:\n\n${[...new Set(entries)].join('\n')}`;
}

function entryOf(folder: string): string {
  const { name, version, license } = manifestIn(folder) ?? {};
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (!name || !version || !(license ?? file)) throw new Error(`${folder} names no license.`);
  const text = file ? `\n${readFileSync(join(folder, file), 'utf8').trim()}\n` : '';
  return `## ${name} - ${version}${license ? ` (${license})` : ''}\n${text}`;
}

/** The folder of the package that a file belongs to. Packages have further package.json without a version inside. */
function folderOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (manifestIn(folder)?.version) return folder;
  }
  throw new Error(`${file} belongs to no package.`);
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

function manifestIn(folder: string): Manifest | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : null;
}
