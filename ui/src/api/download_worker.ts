import { download, type Download } from './download';

/** Receive answers in a worker, so that the page can scroll meanwhile. */
export interface DownloadQuestion {
  readonly number: number;
  readonly url: string;
}

/** A text: the server is unreachable. Null: the worker is ready. */
export interface DownloadAnswer {
  readonly number: number | null;
  readonly found: Download | string;
}

self.onmessage = async ({
  data: { number, url },
}: MessageEvent<DownloadQuestion>): Promise<void> => {
  try {
    const found = await download(url);
    self.postMessage({ number, found } satisfies DownloadAnswer, { transfer: [found.bytes] });
  } catch (reason) {
    self.postMessage({
      number,
      found: reason instanceof Error ? reason.message : String(reason),
    } satisfies DownloadAnswer);
  }
};

self.postMessage({ number: null, found: '' } satisfies DownloadAnswer);
