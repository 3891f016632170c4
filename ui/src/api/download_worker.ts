import { download, type Download } from './download';

/** Puts together what arrives in pieces, beside the page, which can be scrolled meanwhile. */
export interface DownloadQuestion {
  readonly number: number;
  readonly url: string;
}

/** A reason in words: nobody answered. Without a number: the worker is ready for questions. */
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
