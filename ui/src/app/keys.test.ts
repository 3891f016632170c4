import { expect, test } from 'vitest';

import { chord, KEYS } from './keys';

const sources = import.meta.glob<string>('../**/*.vue', {
  eager: true,
  query: '?raw',
  import: 'default',
});

test('the help sheet lists every shortcut', () => {
  const told = new Set(KEYS.flatMap(({ keys }) => keys.map((key) => key.toLowerCase())));
  const used = Object.values(sources).flatMap((source) =>
    [...source.matchAll(/useShortcuts\(\{([^]*?)\}\);/g)].flatMap(([, body = '']) =>
      [...body.matchAll(/(?:^|[\s,])'?(\S)'?: \(\) =>/g)].map(([, key = '']) => key),
    ),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((key) => !told.has(key))).toEqual([]);
});

test('key names match the platform', () => {
  expect([chord(['Ctrl', 'K'], false), chord(['Ctrl', 'K'], true)]).toEqual(['Ctrl K', '⌘K']);
  expect([chord(['Ctrl', 'Shift', 'Z'], false), chord(['Ctrl', 'Shift', 'Z'], true)]).toEqual([
    'Ctrl Shift Z',
    '⌘⇧Z',
  ]);
});
