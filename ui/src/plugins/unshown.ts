import { SHOWN } from './registry';

export function unshown(
  jobs: readonly { readonly plugins: Readonly<Record<string, readonly string[]>> }[],
): string[] {
  const names = jobs.flatMap(({ plugins }) =>
    Object.keys(plugins).filter((name) => (plugins[name]?.length ?? 0) > 0),
  );
  return [...new Set(names)].filter((name) => !SHOWN.has(name)).sort();
}
