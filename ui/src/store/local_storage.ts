const PREFIX = 'mindviz.';

/** What was kept under a name; null if nothing was, or the browser forbids it. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Keep a text under a name; null forgets it. Browsers that forbid it lose a preference. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Private windows and full disks: the preference lasts as long as the page.
  }
}
