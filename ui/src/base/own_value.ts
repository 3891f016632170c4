/**
 * What a record has under a name that somebody else chose. Logs call parameters `constructor` and tags
 * `toString`, and every object inherits something by those names.
 */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
