/** The name people know a job by: its id without the leading `./`; the base dir itself is `.`. */
export function jobName(trainId: string): string {
  return trainId === './' ? '.' : trainId.replace(/^\.\//, '');
}

/** `train/loss` -> [`train`, `loss`]; without a slash the first is empty. */
export function splitTag(tag: string): [string, string] {
  const slash = tag.indexOf('/');
  return slash <= 0 || slash === tag.length - 1 ? ['', tag] : [tag.slice(0, slash), tag.slice(slash + 1)];
}

/** A long text with its middle left out: ends tell texts apart. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = Math.floor((most - 1) / 2);
  return `${text.slice(0, start)}…${text.slice(text.length - (most - 1 - start))}`;
}
