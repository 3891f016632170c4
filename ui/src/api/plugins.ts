import { getJson } from './client';

export type DataClass = 'SCALAR' | 'TENSOR' | 'BLOB_SEQUENCE';

/** A kind of data that the server knows. */
export interface ServerPlugin {
  readonly name: string;
  /** Behind the tags of the contract's routes. */
  readonly suffix: string;
  readonly data_class: DataClass;
}

/** Every plugin that is registered on the server. */
export async function fetchPlugins(): Promise<readonly ServerPlugin[]> {
  const { plugins } = await getJson<{ plugins: readonly ServerPlugin[] }>('plugins');
  return plugins;
}
