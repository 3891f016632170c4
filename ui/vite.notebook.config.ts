/** Builds the chart for notebooks: one module with its styles, which the kernel sends to the cell. */
import { fileURLToPath } from 'node:url';

import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const PLACEHOLDER = '__STYLES__';

/** Puts the styles into the module, for a shadow tree: what is said of the page is said of its host. */
const stylesInside = (): Plugin => ({
  name: 'mindviz:styles-inside',
  enforce: 'post',
  generateBundle(_, bundle) {
    let styles = '';
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== 'asset' || !name.endsWith('.css')) continue;
      styles += String(file.source).replaceAll(':root', '.host');
      Reflect.deleteProperty(bundle, name);
    }
    const text = JSON.stringify(styles)
      .slice(1, -1)
      .replaceAll('`', '\\`')
      .replaceAll('${', '\\${');
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = file.code.replace(PLACEHOLDER, () => text);
  },
});

export default defineConfig({
  plugins: [vue({ features: { optionsAPI: false } }), stylesInside()],
  resolve: {
    alias: [
      // A worker would be a file of its own; the chart then paints its lines itself.
      { find: './bitmap_thread', replacement: here('./src/notebook/no_bitmap_thread.ts') },
      { find: '@', replacement: here('./src') },
    ],
  },
  define: {
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: true,
    __INTLIFY_PROD_DEVTOOLS__: false,
    'process.env.NODE_ENV': '"production"',
  },
  publicDir: false,
  build: {
    outDir: `${process.env['MINDVIZ_WEBUI_DIR'] ?? here('../mindviz/webui')}/notebook`,
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 600, // kB
    // Not Vite's library mode, which leaves white space in modules.
    rolldownOptions: {
      input: here('./src/notebook/main.ts'),
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'chart.js', codeSplitting: false },
    },
  },
});
