/** Builds the page of snapshots: one script and one style sheet, which a single HTML file can hold. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const WORKER =
  /new Worker\(\s*new URL\('([^']+)', import\.meta\.url\),\s*\{\s*type: 'module',?\s*\}\s*\)/;

/** Workers as blobs: a page without a server has no files of its own. */
const inlinedWorkers = (): Plugin => ({
  name: 'mindviz:inlined-workers',
  enforce: 'pre',
  transform(code) {
    const found = WORKER.exec(code);
    if (!found) return null;
    const made = `import InlinedWorker from '${found[1] ?? ''}?worker&inline';\n`;
    return { code: made + code.replace(WORKER, 'new InlinedWorker()'), map: null };
  },
});

/** The worker of elkjs, which is a file and no module. */
const ELK = 'elkjs/lib/elk-worker.min.js?url';

const inlinedElk = (): Plugin => ({
  name: 'mindviz:inlined-elk',
  enforce: 'pre',
  resolveId: (id) => (id === ELK ? `\0${ELK}` : null),
  load(id) {
    if (id !== `\0${ELK}`) return null;
    const source = readFileSync(here('./node_modules/elkjs/lib/elk-worker.min.js'), 'utf8');
    return `export default URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' }));`;
  },
});

/** Leaves `page.js.gz` and `page.css.gz`. */
const compressed = (): Plugin => ({
  name: 'mindviz:compressed',
  enforce: 'post',
  generateBundle(_, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      // Vite lists no files to preload if there is one chunk, and leaves its placeholder.
      const source =
        file.type === 'chunk' ? file.code.replaceAll('__VITE_PRELOAD__', '[]') : file.source;
      const extension = /\.(js|css)$/.exec(name)?.[0];
      if (extension)
        this.emitFile({
          type: 'asset',
          fileName: `page${extension}.gz`,
          source: gzipSync(source, { level: 9 }),
        });
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
      delete bundle[name];
    }
  },
});

export default defineConfig({
  plugins: [vue({ features: { optionsAPI: false } }), inlinedElk(), inlinedWorkers(), compressed()],
  worker: { plugins: () => [inlinedElk()] },
  resolve: { alias: { '@': here('./src') } },
  define: {
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: true,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: {
    outDir: `${process.env['MINDVIZ_WEBUI_DIR'] ?? here('../mindviz/webui')}/snapshot`,
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: Infinity,
    chunkSizeWarningLimit: 8_000, // kB: all pages in one script
    rolldownOptions: { input: here('./src/main.ts'), output: { codeSplitting: false } },
  },
});
