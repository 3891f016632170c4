import { plugins } from '@/plugins/registry';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const ON_MAC: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

export const keyName = (key: string, mac = IS_MAC): string => (mac ? (ON_MAC[key] ?? key) : key);

/** Keys pressed together, in a few characters: `Ctrl K`, `⌘K`. */
export const chord = (keys: readonly string[], mac = IS_MAC): string =>
  keys.map((key) => keyName(key, mac)).join(mac ? '' : ' ');

export interface KeyUse {
  readonly keys: readonly string[];
  readonly what: string;
  /** The page that has it; absent: all pages with something it applies to. */
  readonly page?: string;
}

/** All shortcuts. Those of `useShortcuts` are single letters and signs. */
export const KEYS: readonly KeyUse[] = [
  { keys: ['?'], what: 'sheet' },
  { keys: ['Ctrl', 'K'], what: 'command' },
  { keys: ['Ctrl', 'Z'], what: 'undo' },
  { keys: ['Ctrl', 'Shift', 'Z'], what: 'redo' },
  { keys: ['Ctrl', 'P'], what: 'print' },
  { keys: ['/'], what: 'tags' },
  { keys: ['[', ']'], what: 'step' },
  { keys: ['Shift'], what: 'pin' },
  { keys: ['←', '→'], what: 'points' },
  { keys: ['+', '−', '0'], what: 'zoom' },
  { keys: ['Alt'], what: 'pan' },
  ...plugins.flatMap(({ name, keys = [] }) => keys.map((use) => ({ ...use, page: name }))),
];
