export interface RequestedJobs {
  /** Empty: all except `without`. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
}

export function requestedJobs(selected: readonly string[], all: readonly string[]): RequestedJobs {
  if (selected.length * 2 <= all.length) return { train_id: selected, without: [] };
  const asked = new Set(selected);
  return { train_id: [], without: all.filter((id) => !asked.has(id)) };
}
