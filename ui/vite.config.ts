import { fileURLToPath } from 'node:url';

import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [vue({ features: { optionsAPI: false } })],
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
    // The content security policy allows no data: scripts and no inline anything.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
  },
  server: {
    // `npm run dev` beside a running `mindviz start`.
    proxy: { '/v1': process.env['MINDVIZ_URL'] ?? 'http://127.0.0.1:8080' },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['./vitest.setup.ts'],
    sequence: { shuffle: true },
  },
});
