/** Which jobs a question is about, said by naming as few as possible of thousands. */
export interface AskedJobs {
  /** Empty: all but those without. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
}

/** These of all jobs, at least one. */
export function askedJobs(chosen: readonly string[], all: readonly string[]): AskedJobs {
  if (chosen.length * 2 <= all.length) return { train_id: chosen, without: [] };
  const asked = new Set(chosen);
  return { train_id: [], without: all.filter((id) => !asked.has(id)) };
}
