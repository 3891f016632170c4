/** Shown on the page of the data that it belongs to. */
const BESIDE = new Set(['optimized_graph', 'audio_labels', 'run_facts']);

type Tags = Readonly<Record<string, readonly string[]>>;

/** Of these plugins, those that no page shows, sorted. */
export function withoutPage(names: Iterable<string>, shown: ReadonlySet<string>): string[] {
  return [...new Set(names)].filter((name) => !shown.has(name) && !BESIDE.has(name)).sort();
}

/** Of the plugins that these runs have data of, those that no page shows, sorted. */
export function unshown(
  jobs: readonly { readonly plugins: Tags }[],
  shown: ReadonlySet<string>,
): string[] {
  return withoutPage(
    jobs.flatMap(({ plugins }) =>
      Object.keys(plugins).filter((name) => (plugins[name]?.length ?? 0) > 0),
    ),
    shown,
  );
}
