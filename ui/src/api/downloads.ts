import { download, type Download } from './download';
import type { DownloadAnswer, DownloadQuestion } from './download_worker';

/** Downloads in a worker: receiving megabytes on the page would block scrolling. */
export class Downloads {
  private static made: Downloads | null = null;
  static get shared(): Downloads {
    return (this.made ??= new Downloads());
  }

  private worker: Worker | null = null;
  private ready = false;
  private readonly waiting = new Map<
    number,
    {
      url: string;
      resolve: (found: Download | Promise<Download>) => void;
      reject: (reason: Error) => void;
    }
  >();
  private sent = 0;

  private constructor() {
    if (typeof Worker === 'undefined') return;
    this.worker = new Worker(new URL('./download_worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<DownloadAnswer>) => this.take(data);
    this.worker.onerror = () => this.doWithout();
  }

  /**
   * Throws a TypeError if the server is unreachable. The page downloads until the worker is ready.
   */
  get(url: string): Promise<Download> {
    if (!this.worker || !this.ready) return download(url);
    const number = ++this.sent;
    this.worker.postMessage({ number, url } satisfies DownloadQuestion);
    return new Promise((resolve, reject) => this.waiting.set(number, { url, resolve, reject }));
  }

  private take({ number, found }: DownloadAnswer): void {
    if (number === null) {
      this.ready = true;
      return;
    }
    const asker = this.waiting.get(number);
    this.waiting.delete(number);
    if (typeof found === 'string') asker?.reject(new TypeError(found));
    else asker?.resolve(found);
  }

  private doWithout(): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { url, resolve } of this.waiting.values()) resolve(download(url));
    this.waiting.clear();
  }
}
