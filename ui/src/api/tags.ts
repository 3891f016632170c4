/** The contract's routes append the plugin's name to tags. */

export const contractTag = (pluginName: string, tag: string): string => `${tag}/${pluginName}`;

export function logTag(pluginName: string, contract: string): string {
  const suffix = `/${pluginName}`;
  return contract.endsWith(suffix) ? contract.slice(0, -suffix.length) : contract;
}
