import { ownValue } from './own_value';

const TWINS: Readonly<Record<string, string>> = {
  lr: 'learning_rate',
  epochs: 'epoch',
  num_epochs: 'epoch',
  model: 'network',
  loss_fn: 'loss_function',
};

const OWN = 'user_defined/';

export function fieldOf(name: string): string {
  const bare = name.startsWith(OWN) ? name.slice(OWN.length) : name;
  return ownValue(TWINS, bare) ?? bare;
}

/** Facts without duplicates of known fields that have the same value. */
export function withoutRepeats<Fact>(
  facts: readonly Fact[],
  nameOf: (fact: Fact) => string,
  wordsOf: (fact: Fact) => string,
): Fact[] {
  const isField = (fact: Fact): boolean => nameOf(fact) === fieldOf(nameOf(fact));
  const keyOf = (fact: Fact): string => `${fieldOf(nameOf(fact))}\0${wordsOf(fact)}`;
  const known = new Set(facts.filter(isField).map(keyOf));
  return facts.filter(
    (fact) => isField(fact) || (!known.has(keyOf(fact)) && known.add(keyOf(fact))),
  );
}

/** Names without duplicates of known fields: `learning_rate` replaces `user_defined/lr`. */
export function withoutTwins(names: readonly string[]): string[] {
  const named = new Set(names.filter((name) => !name.startsWith(OWN)));
  return names.filter((name) => !name.startsWith(OWN) || !named.has(fieldOf(name)));
}
