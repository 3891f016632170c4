export interface Due {
  /** Restarts the timer: dragging and typing run once. */
  readonly after: (wait: number) => void;
  /** Keeps a running timer, so that constant changes run, too. */
  readonly within: (wait: number) => void;
  readonly cancel: () => void;
}

export function dueOf(action: () => void): Due {
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
    after: (wait) => {
      cancel();
      timer = setTimeout(run, wait);
    },
    within: (wait) => {
      timer ??= setTimeout(run, wait);
    },
    cancel,
  };
}
