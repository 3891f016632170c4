/** A message below `compare.parity.wrongRule`. */
interface RuleProblem {
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What the server says of rules. */
const PATTERNS: readonly (readonly [key: string, pattern: RegExp])[] = [
  ['form', /^rule (?<n>\d+), (?<rule>.*): expected NAME=NEW_NAME\.$/],
  ['noName', /^rule (?<n>\d+), (?<rule>.*): the name before '=' is missing\.$/],
  ['stars', /^rule (?<n>\d+), (?<rule>.*): at most one '\*' is allowed on each side\.$/],
  ['newStar', /^rule (?<n>\d+), (?<rule>.*): a '\*' in the new name requires one in the name\.$/],
  ['same', /^The rules give (?<a>.*) and (?<b>.*) the same name, (?<name>.*)\.$/],
  ['many', /^There are (?<n>\d+) rules, more than (?<most>\d+)\.$/],
];

/** The message for a problem; null if it is shown as sent. */
export function ruleProblem(problem: string): RuleProblem | null {
  for (const [key, pattern] of PATTERNS) {
    const match = pattern.exec(problem);
    if (match) return { key, values: { ...match.groups } };
  }
  return null;
}
