/** What is shown beside what it belongs to. */
const BESIDE = new Set(['optimized_graph']);

/** Of the kinds of data that jobs have, those that no page shows, in the alphabet's order. */
export function unshown(
  jobs: readonly { readonly plugins: Readonly<Record<string, readonly string[]>> }[],
  shown: ReadonlySet<string>,
): string[] {
  const names = jobs.flatMap(({ plugins }) => Object.keys(plugins).filter((name) => (plugins[name]?.length ?? 0) > 0));
  return [...new Set(names)].filter((name) => !shown.has(name) && !BESIDE.has(name)).sort();
}
