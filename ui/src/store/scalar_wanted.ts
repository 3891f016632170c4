import { windowName, type Window } from './scalar_windows';

/** What charts show, and thus what is to be fetched. */
export interface Wanted {
  /** Tags of mounted charts, with the points that each series has room for. */
  readonly tags: ReadonlyMap<string, number>;
  readonly windowTags?: ReadonlyMap<string, number>;
  readonly trainIds: readonly string[];
  readonly window: Window;
  /** Of tags whose chart has another x axis than the page. */
  readonly windows?: ReadonlyMap<string, Window>;
  readonly smoothing: string;
  /** Of tags that have their own. */
  readonly smoothings?: ReadonlyMap<string, string>;
  readonly xTag?: string | null;
  readonly has: (trainId: string, tag: string) => boolean;
}

export const smoothingOf = ({ smoothing, smoothings }: Wanted, tag: string): string =>
  smoothings?.get(tag) ?? smoothing;

export function windowOf({ window, windows }: Wanted, tag: string): Window {
  const own = windows?.get(tag);
  return own === undefined ? window : own;
}

/** The different windows, without that of everything. */
export function windowsOf({ window, windows }: Wanted): Exclude<Window, null>[] {
  const byName = new Map<string, Exclude<Window, null>>();
  for (const one of [window, ...(windows?.values() ?? [])])
    if (one !== null) byName.set(windowName(one), one);
  return [...byName.values()];
}

/** Tags shown in a window, with the points of each; all tags if its name is empty. */
export function tagsIn(wanted: Wanted, name: string): ReadonlyMap<string, number> {
  if (name === '') return wanted.tags;
  return new Map(
    [...(wanted.windowTags ?? wanted.tags)].filter(
      ([tag]) => windowName(windowOf(wanted, tag)) === name,
    ),
  );
}
