const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const ON_MAC: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** A key as it is written on the keyboard at hand. */
export function keyName(key: string, mac = IS_MAC): string {
  return mac ? (ON_MAC[key] ?? key) : key;
}

/** Keys that are pressed together, in a few characters: `Ctrl K`, `⌘K`. */
export function chord(keys: readonly string[], mac = IS_MAC): string {
  return keys.map((key) => keyName(key, mac)).join(mac ? '' : ' ');
}

/** A key, or several of one purpose, as the sheet of keys tells it. */
export interface KeyUse {
  /** As they are written on keyboards. */
  readonly keys: readonly string[];
  /** Its message below `keys`. */
  readonly what: string;
  /** The page that has it; absent: wherever there is what it is about. */
  readonly page?: string;
}

/** Every key that does something. Those of `useShortcuts` are single letters and signs. */
export const KEYS: readonly KeyUse[] = [
  { keys: ['?'], what: 'sheet' },
  { keys: ['Ctrl', 'K'], what: 'command' },
  { keys: ['Ctrl', 'Z'], what: 'undo' },
  { keys: ['Ctrl', 'Shift', 'Z'], what: 'redo' },
  { keys: ['/'], what: 'tags' },
  { keys: ['[', ']'], what: 'step' },
  { keys: ['Shift'], what: 'pin' },
  { keys: ['←', '→'], what: 'points' },
  { keys: ['+', '−', '0'], what: 'zoom' },
  { keys: ['Alt'], what: 'pan' },
  { keys: ['L'], what: 'logY', page: 'scalar' },
  { keys: ['R'], what: 'reset', page: 'scalar' },
  { keys: ['J', 'K'], what: 'run', page: 'runs' },
  { keys: ['X'], what: 'choose', page: 'runs' },
  { keys: ['O'], what: 'open', page: 'runs' },
  { keys: ['N'], what: 'note', page: 'runs' },
  { keys: ['P'], what: 'pinRun', page: 'runs' },
  { keys: ['F'], what: 'fit', page: 'graph' },
];
