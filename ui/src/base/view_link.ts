export function viewLink(page: string, args: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // The router decodes a plus as a plus.
  return `#/${page}${query.size > 0 ? '?' : ''}${query.toString().replaceAll('+', '%20')}`;
}
