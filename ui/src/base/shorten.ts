/** The name people know a job by: its id without the leading `./`; the base dir itself is `.`. */
export function jobName(trainId: string): string {
  return trainId === './' ? '.' : trainId.replace(/^\.\//, '');
}

/**
 * Splits a name so that the end, which tells names apart, is never cut: the head may be
 * ellipsized, the tail is kept. `experiments/2026/adam_lr1e-3_s0` -> [`experiments/2026/adam_l`,
 * `r1e-3_s0`].
 */
export function splitName(name: string, tail = 16): [string, string] {
  if (name.length <= tail) return ['', name];
  return [name.slice(0, -tail), name.slice(-tail)];
}

/** `train/loss` -> [`train`, `loss`]; without a slash the first is empty. */
export function splitTag(tag: string): [string, string] {
  const slash = tag.indexOf('/');
  return slash <= 0 || slash === tag.length - 1 ? ['', tag] : [tag.slice(0, slash), tag.slice(slash + 1)];
}
