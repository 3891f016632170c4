import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first has no windows to draw: the tests take half the CPU time with it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Path of the system's browser: Playwright's own need not be downloaded. */
export function browser(): string {
  const named = process.env['MINDVIZ_CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    (path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
  );
  if (!found) throw new Error(`The browser tests need one of ${NAMES.join(', ')} on the PATH.`);
  return found;
}
