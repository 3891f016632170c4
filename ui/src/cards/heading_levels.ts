/** Levels of logged headings below one of the level `under`, without gaps between them. */
export function levelsUnder(under: number, levels: readonly number[]): number[] {
  const above: number[] = [];
  return levels.map((level) => {
    while ((above.at(-1) ?? 0) >= level) above.pop();
    above.push(level);
    return Math.min(6, under + above.length);
  });
}
