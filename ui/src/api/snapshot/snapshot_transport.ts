import type { Download } from '../download';
import { NO_FILE, type Transport } from '../transport';

import { answerKey } from './answer_key';
import { otherAnswer } from './other_answers';
import type { ScalarAnswers } from './scalar_answers';
import type { SnapshotFile } from './snapshot_file';

/** The last row of a series' columns. */
function newestOf(bytes: Uint8Array): unknown {
  const series = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const { length } = series['step'] as unknown[];
  const cells = Object.entries(series).map(([name, column]) => {
    const isColumn = Array.isArray(column) && column.length === length && name !== 'problems';
    return [name, isColumn ? column.slice(-1) : column] as const;
  });
  return { ...Object.fromEntries(cells), problems: [] };
}

const NO_CHANGES = { error_code: '50545002', error_msg: 'A snapshot cannot be changed.' };
const MISSING = { error_code: '50545002', error_msg: 'This snapshot does not contain that.' };

/** Answers requests from a snapshot: as recorded, and scalars from their columns. */
export function snapshotTransport(file: SnapshotFile, scalars: ScalarAnswers): Transport {
  const urls = new Map<string, string>();

  async function find(url: URL, body: string | null): Promise<Response> {
    const key = answerKey(url, body);
    const bytes = await file.answer(key);
    if (bytes && url.searchParams.get('sample') === '1') return Response.json(newestOf(bytes));
    if (bytes) return new Response(bytes, { headers: { 'Content-Type': file.typeOf(key) ?? '' } });
    const other = await otherAnswer(file, url, body);
    if (other !== null) return Response.json(other);
    return Response.json(MISSING, { status: 404, statusText: 'Not in this snapshot' });
  }

  function fileUrl(url: URL): string {
    const key = answerKey(url, null);
    const known = urls.get(key);
    if (known !== undefined) return known;
    const bytes = file.plain(key);
    if (!bytes) return NO_FILE;
    const made = URL.createObjectURL(new Blob([bytes], { type: file.typeOf(key) ?? '' }));
    urls.set(key, made);
    return made;
  }

  const fetchBlob = async (url: URL): Promise<Response> => {
    const [key] = [...urls].find(([, made]) => made === url.href.replace(/#.*$/, '')) ?? [];
    const bytes = key === undefined ? null : await file.answer(key);
    return bytes ? new Response(bytes) : Response.json(MISSING, { status: 404 });
  };

  return {
    fetch: async (url, { body, method }) => {
      if (url.protocol === 'blob:' || url.protocol === 'data:') return fetchBlob(url);
      if (method === 'PUT' || method === 'DELETE')
        return Response.json(NO_CHANGES, { status: 403, statusText: 'Forbidden' });
      return find(url, typeof body === 'string' ? body : null);
    },
    download: async (url): Promise<Download> => {
      const response = await find(url, null);
      const { status, statusText } = response;
      return { status, statusText, date: null, bytes: await response.arrayBuffer() };
    },
    fileUrl,
    isLive: false,
    now: file.facts.created,
    scalars: (question) => scalars.of(question),
    groups: (question, tags) => scalars.groupsOf(question, tags),
  };
}
