import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  ApiError,
  apiUrl,
  fetchFile,
  fileUrl,
  getBytes,
  getJson,
  orNothing,
  postForJson,
} from './client';
import { currentTransport, setTransport } from './transport';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('URLs', () => {
  test.each([
    ['http://host/', 'http://host/v1/mindviz/status'],
    ['http://host/a/b/', 'http://host/a/b/v1/mindviz/status'],
    ['http://host/a/index.html?x=1#/scalar', 'http://host/a/v1/mindviz/status'],
  ])('of a page at %s are below its path', (page, url) => {
    expect(String(apiUrl('status', {}, page))).toBe(url);
  });

  test('repeat list parameters, omit undefined ones and escape values', () => {
    const url = apiUrl(
      'x',
      { train_id: ['./a b', './ü&'], tag: '', since: null, start: undefined, n: 0 },
      'http://h/',
    );
    expect(url.searchParams.getAll('train_id')).toEqual(['./a b', './ü&']);
    expect(url.search).toContain('n=0');
    expect(url.search).toContain('tag=');
    expect(url.search).not.toMatch(/since|start/);
  });
});

describe('errors', () => {
  const answering = (response: Promise<Response>): void => {
    vi.stubGlobal('document', { baseURI: 'http://host/' });
    vi.stubGlobal('fetch', () => response);
  };

  test('contain the message of the server', async () => {
    const body = { error_code: '5054500E', error_msg: 'Tag not found.' };
    answering(Promise.resolve(Response.json(body, { status: 400 })));
    await expect(getJson('x')).rejects.toMatchObject({
      status: 400,
      code: '5054500E',
      message: 'Tag not found.',
      unreachable: false,
    });
  });

  test('become null for missing data if the caller allows it', async () => {
    expect(
      await orNothing(Promise.reject(new ApiError(404, '5054500E', 'No such tag.'))),
    ).toBeNull();
    await expect(
      orNothing(Promise.reject(new ApiError(400, '50540002', 'Wrong.'))),
    ).rejects.toThrow('Wrong.');
    expect(await orNothing(Promise.resolve(1))).toBe(1);
  });

  test('fall back to the status line if a proxy answers', async () => {
    answering(Promise.resolve(new Response('<html>', { status: 502, statusText: 'Bad Gateway' })));
    await expect(getJson('x')).rejects.toMatchObject({
      message: '502 Bad Gateway',
      unreachable: true,
    });
  });

  test('report unreadable and truncated answers', async () => {
    answering(Promise.resolve(new Response('{"half": [1,2')));
    await expect(getJson('x')).rejects.toMatchObject({ status: 200, unreachable: false });
    answering(
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (stream) => {
              stream.error(new TypeError('network error'));
            },
          }),
        ),
      ),
    );
    await expect(getJson('x')).rejects.toMatchObject({
      status: 0,
      message: 'network error',
      unreachable: true,
    });
  });

  test('report that the server requires a token and allow a retry', async () => {
    answering(
      Promise.resolve(
        Response.json({ error_code: '50540008', error_msg: 'A token.' }, { status: 401 }),
      ),
    );
    await expect(getJson('x')).rejects.toMatchObject({ tokenRequired: true, unreachable: true });
  });

  test('report an unreachable server', async () => {
    answering(Promise.reject(new TypeError('Failed to fetch')));
    await expect(getJson('x')).rejects.toBeInstanceOf(ApiError);
    await expect(getJson('x')).rejects.toMatchObject({ status: 0, unreachable: true });
  });
});

describe('another transport', () => {
  const overHttp = currentTransport();
  afterEach(() => {
    setTransport(overHttp);
  });

  test('answers all requests, without any over HTTP', async () => {
    vi.stubGlobal('document', { baseURI: 'file:///home/a/snapshot.html' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    const requests: string[] = [];
    const noted = (url: URL, body: unknown): string => {
      requests.push(`${url.pathname}${url.search} ${String(body)}`);
      return JSON.stringify(requests.length);
    };
    setTransport({
      fetch: (url, { body }) => Promise.resolve(new Response(noted(url, body))),
      download: (url) => {
        const bytes = new TextEncoder().encode(noted(url, '')).buffer;
        return Promise.resolve({ status: 200, statusText: 'OK', date: null, bytes });
      },
      fileUrl: (url) => `blob:${url.search}`,
      isLive: false,
    });
    expect(await getJson('status')).toBe(1);
    expect(await postForJson('findings', { limit: 0 })).toBe(2);
    expect(await getBytes('datavisual/scalars', { tag: 'a' })).toEqual(new Uint8Array([51]));
    expect(fileUrl('series/image/blob', { step: 1 })).toBe('blob:?step=1');
    expect(await (await fetchFile('blob:x')).text()).toBe('4');
    expect(requests.map((request) => request.replace(/^.*v1\/mindviz\//, ''))).toEqual([
      'status undefined',
      'findings {"limit":0}',
      'datavisual/scalars?tag=a ',
      'x undefined',
    ]);
  });
});
