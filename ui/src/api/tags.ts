/** The contract's routes append the plugin's name to tags. */

export function contractTag(pluginName: string, tag: string): string {
  return `${tag}/${pluginName}`;
}

export function logTag(pluginName: string, contract: string): string {
  const suffix = `/${pluginName}`;
  return contract.endsWith(suffix) ? contract.slice(0, -suffix.length) : contract;
}
