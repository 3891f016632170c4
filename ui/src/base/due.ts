export function dueOf(action: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    timer = undefined;
    action();
  }

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    cancel,
    /** Restarts the timer: dragging and typing run once. */
    after: (wait: number): void => {
      cancel();
      timer = setTimeout(run, wait);
    },
    /** Keeps a running timer, so that constant changes run, too. */
    within: (wait: number): void => {
      timer ??= setTimeout(run, wait);
    },
  };
}
