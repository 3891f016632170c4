/** The contract's routes put the plugin's name behind a tag; everywhere else it is as logged. */

export function contractTag(pluginName: string, tag: string): string {
  return `${tag}/${pluginName}`;
}

export function logTag(pluginName: string, contract: string): string {
  const suffix = `/${pluginName}`;
  return contract.endsWith(suffix) ? contract.slice(0, -suffix.length) : contract;
}
