import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { DownloadAnswer, DownloadQuestion } from './download_worker';
import type { Downloads } from './downloads';

/** A fake of the browser's worker; the test gives its answers. */
class Beside {
  static made: Beside;
  readonly asked: DownloadQuestion[] = [];
  onmessage: ((event: { data: DownloadAnswer }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    Beside.made = this;
  }

  postMessage(question: DownloadQuestion): void {
    this.asked.push(question);
  }

  says(data: DownloadAnswer): void {
    this.onmessage?.({ data });
  }

  terminate(): void {
    this.onmessage = null;
  }
}

const found = { status: 200, statusText: 'OK', date: null, bytes: new ArrayBuffer(3) };
const textOf = async (answer: Promise<{ readonly bytes: ArrayBuffer }>): Promise<string> =>
  new TextDecoder().decode((await answer).bytes);
let downloads: Downloads;

beforeEach(async () => {
  vi.stubGlobal('Worker', Beside);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('of the page')));
  vi.resetModules();
  downloads = (await import('./downloads')).Downloads.shared;
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the page downloads by itself until the worker is ready', async () => {
  expect(await textOf(downloads.get('http://host/a'))).toBe('of the page');
  expect(Beside.made.asked).toEqual([]);
});

describe('once the worker is ready', () => {
  beforeEach(() => {
    Beside.made.says({ number: null, found: '' });
  });

  test('each request gets its own answer from the worker', async () => {
    const [first, second] = [downloads.get('http://host/a'), downloads.get('http://host/b')];
    const [a, b] = Beside.made.asked;
    expect([a?.url, b?.url]).toEqual(['http://host/a', 'http://host/b']);
    Beside.made.says({ number: b?.number ?? -1, found });
    Beside.made.says({ number: a?.number ?? -1, found: { ...found, status: 404 } });
    expect([(await first).status, (await second).status]).toEqual([404, 200]);
  });

  test('throws a network error like the one of the browser', async () => {
    const answer = downloads.get('http://host/a');
    Beside.made.says({ number: Beside.made.asked[0]?.number ?? -1, found: 'Failed to fetch' });
    await expect(answer).rejects.toEqual(new TypeError('Failed to fetch'));
  });

  test('retries pending and later requests on the page after the worker fails', async () => {
    const answer = downloads.get('http://host/a');
    Beside.made.onerror?.();
    expect(await textOf(answer)).toBe('of the page');
    expect(await textOf(downloads.get('http://host/b'))).toBe('of the page');
    expect(Beside.made.asked).toHaveLength(1);
  });
});
