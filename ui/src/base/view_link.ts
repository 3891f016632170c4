type Arguments = Readonly<Record<string, string | undefined>>;

/** A query without the question mark. */
export function queryText(args: Arguments): string {
  const query = new URLSearchParams(
    Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // The router decodes a plus as a plus.
  return query.toString().replaceAll('+', '%20');
}

export const queryArguments = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export function viewLink(page: string, args: Arguments): string {
  const query = queryText(args);
  return `#/${page}${query === '' ? '' : '?'}${query}`;
}
