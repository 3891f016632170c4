/** A detail of a finding, as the server writes it, and its message below `findings.said`. */
interface ServerText {
  readonly key: string;
  readonly pattern: RegExp;
}

/** Groups of a pattern are placeholders of the message; `n` also selects its plural. */
const PATTERNS: readonly ServerText[] = [
  { key: 'further', pattern: /^From here on, (?<n>\d+) more damaged records were skipped\.$/ },
  { key: 'cannotRead', pattern: /^It cannot be read: (?<reason>.*)\.$/ },
  { key: 'readFailed', pattern: /^Reading failed \((?<reason>.*)\); it is retried\.$/ },
  { key: 'empty', pattern: /^The file is empty\.$/ },
  { key: 'notALog', pattern: /^This is text \(.*\), not a log\.$/ },
  { key: 'directory', pattern: /^It is named like a log, but is a directory\.$/ },
  { key: 'more', pattern: /^(?<n>\d+) further problems are not listed\.$/ },
  {
    key: 'noClass',
    pattern: /^Tags of (?:plugin '.*'|no plugin) without a data class: (?<n>\d+)\./,
  },
  {
    key: 'brokenClass',
    pattern: /^Tag '(?<tag>.*)' of plugin '(?<plugin>.*)' is a .* series; (?<n>\d+) of its values/,
  },
  {
    key: 'mismatch',
    pattern:
      /^Tag '(?<tag>.*)' is (?<here>\w+) data here, but (?<there>\w+) data in an earlier place/,
  },
  { key: 'badTag', pattern: /^Tag '(?<tag>.*)' is not valid UTF-8 or holds null bytes/ },
  {
    key: 'checkpoint',
    pattern: /^Embedding '(?<name>.*)' has no tensor_path\. TensorFlow checkpoints/,
  },
];

/** Kinds whose findings all say the same, but for those above. */
const BY_KIND: ReadonlySet<string> = new Set([
  'truncated',
  'zero_tail',
  'bad_length',
  'bad_payload',
  'bad_record',
  'too_many_segments',
  'outside',
  'several_writers',
  'bad_wall_time',
]);

export interface Message {
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The message for a detail; null if it is shown as sent. */
export function messageFor(kind: string, detail: string): Message | null {
  for (const { key, pattern } of PATTERNS) {
    const match = pattern.exec(detail);
    if (match) return { key, values: { ...match.groups } };
  }
  return BY_KIND.has(kind) ? { key: kind, values: {} } : null;
}

export const serverPatterns = PATTERNS.map(({ pattern }) => pattern);
