/** Requests to the REST API, relative to the page: any URL prefix works. */
import type { Download } from './download';
import { recentRequests } from './recent_requests';
import { currentTransport, NO_FILE } from './transport';

/** An error of the server; status 0 if it is unreachable. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  get tooLarge(): boolean {
    return this.code === '50545013';
  }

  get tokenRequired(): boolean {
    return this.status === 401;
  }

  /** Worth a retry: the server is unreachable, or a login is missing. */
  get unreachable(): boolean {
    return [0, 401, 502, 503, 504].includes(this.status);
  }
}

/** The message of an ApiError. Throws other errors. */
export function apiMessage(reason: unknown): string {
  if (!(reason instanceof ApiError)) throw reason;
  return reason.message;
}

export type Query = Readonly<
  Record<string, string | number | readonly string[] | null | undefined>
>;

export function apiUrl(route: string, query: Query = {}, page: string = document.baseURI): URL {
  const url = new URL(`v1/mindviz/${route}`, page);
  url.hash = '';
  // Not `url.searchParams`, which writes the URL again for each of a thousand ids.
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    const values = typeof value === 'object' ? value : [String(value)];
    for (const one of values) search.append(name, one);
  }
  url.search = String(search);
  return url;
}

/** The URL of a file for an element of the page. */
export function fileUrl(route: string, query: Query): string {
  const url = apiUrl(route, query);
  recentRequests.add(url);
  return currentTransport().fileUrl(url);
}

/** Whether there is a file at a `fileUrl`; a snapshot has only some. */
export const isFile = (url: string): boolean => url !== NO_FILE;

/** The file at a `fileUrl`. Throws a TypeError if the server is unreachable. */
export const fetchFile = (url: string, signal: AbortSignal | null = null): Promise<Response> =>
  currentTransport().fetch(new URL(url), { signal });

/** Only an answer to `If-None-Match`. */
const NOT_MODIFIED = 304;

let clockAhead = 0;

export const serverNow = (): number => currentTransport().now ?? Date.now() / 1000 + clockAhead;

async function request(url: URL, init: RequestInit): Promise<Response> {
  let response: Response;
  if (init.method === undefined || init.method === 'POST') recentRequests.add(url, init.body);
  try {
    response = await currentTransport().fetch(url, init);
  } catch (reason) {
    throw unanswered(reason);
  }
  noteClock(response.headers.get('date'));
  if (!response.ok && response.status !== NOT_MODIFIED) throw await apiError(response);
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

/** Read an answer. Throws ApiError if it is malformed: a proxy may have cut it off. */
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
  const serverTime = date === null ? NaN : Date.parse(date) / 1000;
  // The header counts whole seconds: smaller differences mean nothing.
  if (Number.isFinite(serverTime)) {
    const ahead = serverTime - Date.now() / 1000;
    clockAhead = Math.abs(ahead) > 3 ? ahead : 0;
  }
}

async function apiError(response: Response): Promise<ApiError> {
  const fallback = `${response.status} ${response.statusText}`.trim();
  try {
    const { error_code, error_msg } = (await response.json()) as Record<string, unknown>;
    if (typeof error_code === 'string' && typeof error_msg === 'string')
      return new ApiError(response.status, error_code, error_msg);
  } catch {
    // A proxy's page instead of our JSON: only the status line is known.
  }
  return new ApiError(response.status, '', fallback);
}

/** An answer, unless it takes longer than these milliseconds. Throws ApiError. */
export async function inTime<Answer>(
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('timed out')), milliseconds);
  try {
    return await ask(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** GET a JSON answer. The server's tests check its type. */
export async function getJson<Answer>(
  route: string,
  query: Query = {},
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const headers = { Accept: 'application/json' };
  const response = await request(apiUrl(route, query), { headers, signal });
  return jsonOf<Answer>(response);
}

export async function getBytes(route: string, query: Query): Promise<Uint8Array> {
  let found: Download;
  const url = apiUrl(route, query);
  recentRequests.add(url);
  try {
    found = await currentTransport().download(url);
  } catch (reason) {
    throw unanswered(reason);
  }
  const { status, statusText, date, bytes } = found;
  noteClock(date);
  if (status < 200 || status > 299)
    throw await apiError(new Response(bytes, { status, statusText }));
  return new Uint8Array(bytes);
}

export async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return null;
    throw reason;
  }
}

export async function postJson(route: string, body: unknown): Promise<void> {
  await request(apiUrl(route), withBody('POST', body));
}

export async function postForJson<Answer>(
  route: string,
  body: unknown,
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const response = await request(apiUrl(route), { ...withBody('POST', body), signal });
  return jsonOf<Answer>(response);
}

export interface Versioned<Answer> {
  readonly etag: string | null;
  /** Null: unchanged. */
  readonly answer: Answer | null;
}

/** The answer, unless it is of the version `etag`. */
export async function postIfChanged<Answer>(
  route: string,
  body: unknown,
  etag: string | null,
): Promise<Versioned<Answer>> {
  const { headers, ...init } = withBody('POST', body);
  const condition = etag === null ? {} : { 'If-None-Match': etag };
  const response = await request(apiUrl(route), { ...init, headers: { ...headers, ...condition } });
  if (response.status === NOT_MODIFIED) return { etag, answer: null };
  return { etag: response.headers.get('etag'), answer: await jsonOf<Answer>(response) };
}

export async function postForBytes(route: string, body: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request(apiUrl(route), withBody('POST', body));
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (reason) {
    throw unanswered(reason);
  }
}

/** PUT a JSON body; the request survives closing the page. */
export async function putJson(route: string, query: Query, body: unknown): Promise<void> {
  await request(apiUrl(route, query), { ...withBody('PUT', body), keepalive: true });
}

export async function deleteResource(route: string): Promise<void> {
  await request(apiUrl(route), { method: 'DELETE' });
}

function withBody(method: string, body: unknown) {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
