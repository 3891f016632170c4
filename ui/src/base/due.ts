/** Something that is to be done a little later, once. */
export interface Due {
  /** In so many milliseconds, counted anew with every call: dragging and typing are one. */
  readonly after: (wait: number) => void;
  /** In so many milliseconds at the latest: what never stops changing is followed, too. */
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
