/** Parameters on which no recorded answer depends. */
const IGNORED = new Set(['since', 'sample']);

/** A request as a text, whatever the order of its parameters. `answer_key.py` writes the same. */
export function answerKey(url: URL, body: string | null): string {
  const route = decodeURIComponent(url.pathname.replace(/^.*?\/v1\/mindviz\//, ''));
  const query = [...url.searchParams]
    .filter(([name]) => !IGNORED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return JSON.stringify([route, query, body === null ? null : sorted(JSON.parse(body))]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
