import { SHOWN } from './registry';

/** The plugins that these runs have data of and that no page shows, sorted. */
export function unshown(
  jobs: readonly { readonly plugins: Readonly<Record<string, readonly string[]>> }[],
): string[] {
  const names = jobs.flatMap(({ plugins }) =>
    Object.keys(plugins).filter((name) => (plugins[name]?.length ?? 0) > 0),
  );
  return [...new Set(names)].filter((name) => !SHOWN.has(name)).sort();
}
