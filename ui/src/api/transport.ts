import type { Download } from './download';
import { Downloads } from './downloads';
import type { GroupQuestion, GroupSeries } from './scalar_groups';
import type { ScalarAnswer, ScalarQuestion } from './scalars';

/** Answers the API's requests: a server, or data that the page already has. */
export interface Transport {
  /** Throws a TypeError if there is no answer. */
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  /** As `fetch`, for GET requests with large answers. */
  readonly download: (url: URL) => Promise<Download>;
  /** A URL that elements of the page can load: an image, a link. */
  readonly fileUrl: (url: URL) => string;
  /** Whether answers change, and have to be polled. */
  readonly isLive: boolean;
  /** The time of answers that do not change, in Unix seconds. */
  readonly now?: number;
  /** Answers to requests for scalars, if they need no encoding. */
  readonly scalars?: (question: ScalarQuestion) => Promise<ScalarAnswer>;
  readonly groups?: (
    question: GroupQuestion,
    tags: readonly string[],
  ) => Promise<readonly GroupSeries[]>;
}

/** The `fileUrl` of a file that is not there: loads nothing, and content security policies allow it. */
export const NO_FILE = 'data:,';

let transport: Transport = {
  fetch: (url, init) => fetch(url, init),
  download: (url) => Downloads.shared.get(url.href),
  fileUrl: (url) => url.href,
  isLive: true,
};

export const currentTransport = (): Transport => transport;

/** Replace the transport of all later requests. */
export function setTransport(replacement: Transport): void {
  transport = replacement;
}
