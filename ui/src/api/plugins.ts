import { getJson } from './client';
import { seriesRoute } from './series';

export async function fetchPluginNames(): Promise<readonly string[]> {
  const { plugins } = await getJson<{ readonly plugins: readonly { readonly name: string }[] }>(
    'plugins',
    {},
  );
  return plugins.map(({ name }) => name);
}

/** Run -> tags of a plugin, including tags derived from other plugins' data. */
export async function fetchPluginTags(
  pluginName: string,
  trainIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { train_jobs } = await getJson<{
    readonly train_jobs: readonly { readonly train_id: string; readonly tags: readonly string[] }[];
  }>(`${seriesRoute(pluginName)}/tags`, { train_id: trainIds });
  return new Map(train_jobs.map(({ train_id, tags }) => [train_id, tags]));
}
