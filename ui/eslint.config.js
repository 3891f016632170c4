import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import vue from 'eslint-plugin-vue';
import ts from 'typescript-eslint';

/**
 * A folder of src/ and the folders it may not import from: imports only go down.
 * @param {string} folder
 * @param {string[]} forbidden
 * @param {string[]} packages
 * @returns {import('eslint').Linter.Config}
 */
const layer = (folder, forbidden, packages = []) => ({
  files: [`src/${folder}/**/*.{ts,vue}`],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...forbidden.map((name) => ({
            group: [`@/${name}`, `@/${name}/**`],
            message: `${folder}/ must not know ${name}/`,
          })),
          ...packages.map((name) => ({
            group: [name],
            message: `${folder}/ must not know ${name}`,
          })),
        ],
      },
    ],
  },
});

/** Texts that cannot be wrapped may be longer: paths of icons, messages, URLs. */
const LINES = {
  code: 120,
  ignoreStrings: true,
  ignoreTemplateLiterals: true,
  ignoreRegExpLiterals: true,
  ignoreUrls: true,
};

export default defineConfig(
  { ignores: ['node_modules/', 'dist/', 'test-results/'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  vue.configs['flat/recommended'],
  prettier,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.ts', '*.js', 'scripts/*.js'],
          defaultProject: 'tsconfig.node.json',
        },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
        parser: ts.parser,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      // As the compiler: what comes from an index signature is written as an index.
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // uPlot's enums are ambient and const: only their values can be named.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'max-lines': ['error', { max: 350, skipBlankLines: true }],
      'vue/max-len': ['error', LINES],
      // Typed props with a default of undefined are what exactOptionalPropertyTypes is for.
      'vue/require-default-prop': 'off',
      // Plugins are named after what they show: scalar.vue.
      'vue/multi-word-component-names': 'off',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/no-v-html': 'error',
    },
  },
  { files: ['**/*.{ts,vue}'], rules: { 'no-undef': 'off' } },
  {
    files: ['scripts/*.js', 'eslint.config.js'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  layer(
    'base',
    ['api', 'store', 'plugins', 'cards', 'jobs', 'charts', 'texts', 'i18n', 'app'],
    ['vue', 'vue-*', 'pinia'],
  ),
  layer(
    'api',
    ['store', 'plugins', 'cards', 'jobs', 'charts', 'texts', 'i18n', 'app'],
    ['vue', 'vue-*', 'pinia'],
  ),
  layer(
    'paper',
    ['api', 'store', 'plugins', 'cards', 'jobs', 'charts', 'texts', 'i18n', 'app'],
    ['pinia', 'vue-router', 'vue-i18n'],
  ),
  layer(
    'texts',
    ['api', 'store', 'plugins', 'cards', 'jobs', 'charts', 'i18n', 'app'],
    ['pinia', 'vue-router', 'vue-i18n'],
  ),
  layer(
    'charts',
    ['api', 'store', 'plugins', 'cards', 'jobs', 'i18n', 'app'],
    ['pinia', 'vue-router', 'vue-i18n'],
  ),
  layer('store', ['plugins', 'cards', 'jobs', 'charts', 'app']),
  layer('i18n', ['api', 'store', 'plugins', 'cards', 'jobs', 'charts', 'app']),
  layer('jobs', ['plugins', 'cards', 'app']),
  layer('cards', ['plugins', 'app']),
  layer('plugins', ['app']),
);
