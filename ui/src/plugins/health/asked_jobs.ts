export interface AskedJobs {
  /** Empty: all except `without`. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
}

export function askedJobs(chosen: readonly string[], all: readonly string[]): AskedJobs {
  if (chosen.length * 2 <= all.length) return { train_id: chosen, without: [] };
  const asked = new Set(chosen);
  return { train_id: [], without: all.filter((id) => !asked.has(id)) };
}
