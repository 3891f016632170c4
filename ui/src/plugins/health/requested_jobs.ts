export interface RequestedJobs {
  /** Empty: all except `without`. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
}

export const ALL: RequestedJobs = { train_id: [], without: [] };

/** `all`: null if the page does not know all runs. */
export function requestedJobs(
  selected: readonly string[],
  all: readonly string[] | null,
): RequestedJobs {
  if (all === null || selected.length * 2 <= all.length) return { train_id: selected, without: [] };
  const wanted = new Set(selected);
  return { train_id: [], without: all.filter((id) => !wanted.has(id)) };
}
