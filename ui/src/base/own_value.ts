/** A record's own property. Logs use names such as `constructor`, which objects inherit. */
export const ownValue = <Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(record, name) ? record[name] : undefined);
