/** The address of a view of this mindviz: a page, and what is told of it. */
export function viewLink(page: string, told: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // As the page itself writes it: it takes a plus for one.
  return `#/${page}?${query.toString().replaceAll('+', '%20')}`;
}
