import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import vue from '@vitejs/plugin-vue';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { licenses } from './licenses';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes a compressed `x.gz` for every file of some size, which the server sends unchanged. */
const compressed = (): Plugin => ({
  name: 'mindviz:compressed',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      const source = file.type === 'chunk' ? file.code : file.source;
      if (source.length < 1400) continue;
      this.emitFile({
        type: 'asset',
        fileName: `${file.fileName}.gz`,
        source: gzipSync(source, { level: 9 }),
      });
    }
  },
});

const listed = licenses();

export default defineConfig({
  plugins: [vue({ features: { optionsAPI: false } }), listed.page, compressed()],
  worker: { plugins: () => [listed.worker] },
  // Relative, so that the page works below any --url-path-prefix and behind any proxy.
  base: './',
  resolve: { alias: { '@': here('./src') } },
  define: {
    // vue-i18n: the Composition API alone; the rest is dropped from the bundle.
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: true,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: {
    outDir: process.env['MINDVIZ_WEBUI_DIR'] ?? here('../mindviz/webui'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy forbids data: URLs and inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Two entries: the app, and the REST explorer with its own bundle.
    chunkSizeWarningLimit: 1600, // kB: Swagger UI
    rolldownOptions: {
      input: [here('./index.html'), here('./rest-api.html')],
      output: {
        // Modules that several pages use load first (9 KiB), those of charts with the first page that
        // draws them. By default each page would load twenty files of a few hundred bytes, and browsers
        // open six connections per server.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /[\\/]src[\\/](?:api|base|cards|jobs|store)[\\/](?!ZoomedChart)|preload-helper/,
              minShareCount: 3,
            },
            {
              name: 'charts',
              test: /[\\/]src[\\/]charts[\\/](?!RampBar)|ZoomedChart|[\\/]uplot[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` next to a running `mindviz start`.
    proxy: { '/v1': process.env['MINDVIZ_URL'] ?? 'http://127.0.0.1:8080' },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    setupFiles: ['./vitest.setup.ts'],
    css: { include: /tokens/ },
    sequence: { shuffle: true },
  },
});
