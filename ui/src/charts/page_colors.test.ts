import { expect, test } from 'vitest';

import css from '@/app/styles/tokens.css?raw';

import { PAGE_COLORS } from './page_colors';

test('the colors match the style sheet', () => {
  const [light = '', dark = ''] = css.split(":root[data-theme='dark']");
  for (const [theme, text] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const tokens = Object.fromEntries(
      [...text.matchAll(/--([a-z-]+): (#[0-9a-f]+);/g)].map(([, name = '', value = '']) => [
        name.replace(/-(.)/g, (_: string, letter: string) => letter.toUpperCase()),
        value.length === 4 ? value.replace(/[0-9a-f]/g, '$&$&') : value,
      ]),
    );
    expect(tokens).toMatchObject(PAGE_COLORS[theme]);
  }
});
