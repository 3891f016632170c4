import { dueOf } from '@/base/due';

/** Milliseconds between updates of charts while further answers are on their way. */
const EVERY = 100;

/**
 * Tags that changed, together: the series of 1,000 runs arrive in dozens of answers, and each update
 * visits all lines of a chart. The first and the last answer are shown at once.
 */
export function redrawsOf(redraw: (tags: ReadonlySet<string>) => void) {
  let running = 0;
  let redrawnAt = -Infinity;
  let changed = new Set<string>();
  const due = dueOf(run);

  function run(): void {
    due.cancel();
    const tags = changed;
    changed = new Set();
    redraw(tags);
    redrawnAt = performance.now();
  }

  return {
    /** The same request, counted while it runs. */
    counted:
      <Arguments extends unknown[], Answer>(request: (...args: Arguments) => Promise<Answer>) =>
      async (...args: Arguments): Promise<Answer> => {
        running++;
        try {
          return await request(...args);
        } finally {
          running--;
        }
      },
    add: (tags: Iterable<string>): void => {
      for (const tag of tags) changed.add(tag);
      const wait = running === 0 ? 0 : redrawnAt + EVERY - performance.now();
      if (wait > 0) due.within(wait);
      else run();
    },
  };
}
