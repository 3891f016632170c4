import { postForBytes } from './client';
import { recentRequests } from './recent_requests';

/** The page's current view as one HTML file. */
export const fetchSnapshot = (link: string): Promise<Uint8Array<ArrayBuffer>> =>
  postForBytes('snapshot', { link, shown: recentRequests.texts() });
