const MOST = 1_000;
/** Bodies of requests are limited. */
const MOST_CHARACTERS = 500_000;
/** Routes that show nothing; their requests would replace those of the view. */
const NOT_SHOWN = new Set(['changes', 'snapshot', 'status']);
/** Parameters that shorten an answer: updates and previews. A snapshot needs the whole answer. */
const SHORTENING = ['since', 'sample'];

/** The last distinct requests: a snapshot contains what they were answered. */
class RecentRequests {
  private readonly requests = new Set<string>();
  private characters = 0;

  add(url: URL, body: unknown = null): void {
    const path = /\/v1\/mindviz\/(.*)$/.exec(url.pathname)?.[1];
    if (path === undefined || NOT_SHOWN.has(path)) return;
    if (body !== null && typeof body !== 'string') return;
    const whole = new URL(url);
    for (const name of SHORTENING) whole.searchParams.delete(name);
    const text = `[${JSON.stringify(path + whole.search)},${body ?? 'null'}]`;
    this.remove(text);
    this.requests.add(text);
    this.characters += text.length;
    for (const oldest of this.requests) {
      if (this.requests.size <= MOST && this.characters <= MOST_CHARACTERS) break;
      this.remove(oldest);
    }
  }

  private remove(text: string): void {
    if (this.requests.delete(text)) this.characters -= text.length;
  }

  /** The last ones first, each as `[path, body]` in JSON. */
  texts(): string[] {
    return [...this.requests].reverse();
  }
}

export const recentRequests = new RecentRequests();
