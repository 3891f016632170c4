export interface RequestedJobs {
  /** Empty: all except `without`. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
}

export function requestedJobs(chosen: readonly string[], all: readonly string[]): RequestedJobs {
  if (chosen.length * 2 <= all.length) return { train_id: chosen, without: [] };
  const asked = new Set(chosen);
  return { train_id: [], without: all.filter((id) => !asked.has(id)) };
}
