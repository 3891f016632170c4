/** Names that loggers give to what has a field of its own. */
const TWINS: Readonly<Record<string, string>> = { lr: 'learning_rate', epochs: 'epoch', num_epochs: 'epoch', model: 'network', loss_fn: 'loss_function' };

/** Names of facts without those that are in a named field, too: of `user_defined/lr` and `learning_rate` one is enough. */
export function withoutTwins(names: readonly string[]): string[] {
  const named = new Set(names.filter((name) => !name.startsWith('user_defined/')));
  return names.filter((name) => {
    const bare = name.replace(/^user_defined\//, '');
    return bare === name || !named.has(TWINS[bare] ?? bare);
  });
}
