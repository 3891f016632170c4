/** Requests to mindviz's REST API, found relative to the page, so that any prefix works. */
import type { Download } from './download';
import { Downloads } from './downloads';

/** What the server said went wrong, or that it could not be reached (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** The answer would be larger than the server gives; less has to be asked for. */
  get tooLarge(): boolean {
    return this.code === '50545013';
  }

  /** The server wants a token, which its login page asks for. */
  get tokenRequired(): boolean {
    return this.status === 401;
  }

  /** Not the question's fault, so it is worth asking again: nobody answered, or nobody is logged in. */
  get unreachable(): boolean {
    return (
      this.tokenRequired ||
      this.status === 0 ||
      this.status === 502 ||
      this.status === 503 ||
      this.status === 504
    );
  }
}

export type Query = Readonly<
  Record<string, string | number | readonly string[] | null | undefined>
>;

/** The URL of a route; null and undefined arguments are left out, lists are repeated. */
export function apiUrl(route: string, query: Query = {}, page: string = document.baseURI): URL {
  const url = new URL(`v1/mindviz/${route}`, page);
  url.hash = '';
  url.search = '';
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    const values = typeof value === 'object' ? value : [String(value)];
    for (const one of values) url.searchParams.append(name, one);
  }
  return url;
}

/** How far the server's clock is ahead of ours, in seconds; what "3 minutes ago" counts from. */
let clockAhead = 0;

export function serverNow(): number {
  return Date.now() / 1000 + clockAhead;
}

async function request(url: URL, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (reason) {
    throw unanswered(reason);
  }
  noteClock(response.headers.get('date'));
  if (!response.ok) throw await apiError(response);
  return response;
}

function unanswered(reason: unknown): ApiError {
  return new ApiError(0, '', reason instanceof Error ? reason.message : String(reason));
}

async function jsonOf<Answer>(response: Response): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch (reason) {
    throw reason instanceof SyntaxError ? unreadable(reason) : unanswered(reason);
  }
}

/** What is read of an answer. Throws ApiError where that fails: a proxy may have cut it off. */
export function readAnswer<Answer>(read: () => Answer): Answer {
  try {
    return read();
  } catch (reason) {
    throw unreadable(reason);
  }
}

function unreadable(reason: unknown): ApiError {
  return new ApiError(
    200,
    '',
    `The answer cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`,
  );
}

function noteClock(date: string | null): void {
  const said = date === null ? NaN : Date.parse(date) / 1000;
  // The header counts whole seconds: less is no difference between clocks.
  if (Number.isFinite(said)) {
    const ahead = said - Date.now() / 1000;
    clockAhead = Math.abs(ahead) > 3 ? ahead : 0;
  }
}

async function apiError(response: Response): Promise<ApiError> {
  const fallback = `${response.status} ${response.statusText}`.trim();
  try {
    const body: unknown = await response.json();
    if (isErrorBody(body)) return new ApiError(response.status, body.error_code, body.error_msg);
  } catch {
    // A proxy's page, not our JSON: the status line is all there is to say.
  }
  return new ApiError(response.status, '', fallback);
}

function isErrorBody(body: unknown): body is { error_code: string; error_msg: string } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error_code' in body &&
    typeof body.error_code === 'string' &&
    'error_msg' in body &&
    typeof body.error_msg === 'string'
  );
}

/**
 * GET a JSON answer. The one place where an answer gets its type: what the routes answer is
 * written down in `docs/rest-reference.md` and tested on the server's side.
 */
export async function getJson<Answer>(route: string, query: Query = {}): Promise<Answer> {
  const response = await request(apiUrl(route, query), { headers: { Accept: 'application/json' } });
  return jsonOf<Answer>(response);
}

/** GET bytes. */
export async function getBytes(route: string, query: Query): Promise<Uint8Array> {
  let found: Download;
  try {
    found = await Downloads.shared.get(String(apiUrl(route, query)));
  } catch (reason) {
    throw unanswered(reason);
  }
  const { status, statusText, date, bytes } = found;
  noteClock(date);
  if (status < 200 || status > 299)
    throw await apiError(new Response(bytes, { status, statusText }));
  return new Uint8Array(bytes);
}

/** The answer; null where none of what was asked for exists, as of jobs that lack all of some tags. */
export async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return null;
    throw reason;
  }
}

/** POST a JSON body; the answer is not of interest. */
export async function postJson(route: string, body: unknown): Promise<void> {
  await request(apiUrl(route), withBody('POST', body));
}

/** POST a JSON body for a JSON answer. */
export async function postForJson<Answer>(route: string, body: unknown): Promise<Answer> {
  const response = await request(apiUrl(route), withBody('POST', body));
  return jsonOf<Answer>(response);
}

/** PUT a JSON body; it gets there even if the page is left at once. */
export async function putJson(route: string, query: Query, body: unknown): Promise<void> {
  await request(apiUrl(route, query), { ...withBody('PUT', body), keepalive: true });
}

function withBody(method: string, body: unknown): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
