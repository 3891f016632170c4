import { answerKey } from './answer_key';
import type { SnapshotFile } from './snapshot_file';

/** Lists that are recorded once, whatever part of them is requested. */
const LISTS = new Set(['datavisual/train-job-columns', 'lineagemgr/lineage-columns', 'findings']);
const FINDINGS = 'findings';
const IMPORTANCES = 'optimizer/targets/search';
const LANDSCAPES = 'datavisual/landscape/landscapes';
const RESTARTS = 'datavisual/scalars/restarts';

/** The answer to a request that was not recorded as such, from those that were; null: none. */
export async function otherAnswer(
  file: SnapshotFile,
  url: URL,
  body: string | null,
): Promise<unknown> {
  const [route] = JSON.parse(answerKey(url, null)) as [string];
  if (route === FINDINGS && body !== null)
    return findingsOf(await newest(file, route, true), JSON.parse(body) as FindingsQuestion);
  if (route === IMPORTANCES && body !== null)
    return importancesOf(file, JSON.parse(body) as ImportanceBody);
  if (route === RESTARTS) return restartsOf(await recorded(file, route), url.searchParams);
  if (route === LANDSCAPES) return landscapesOf(file, url);
  return LISTS.has(route) || route.endsWith('/overview') ? await newest(file, route, false) : null;
}

const keysOf = (file: SnapshotFile, route: string): string[] => {
  const start = `[${JSON.stringify(route)},`;
  return [...file.keys].filter((key) => key.startsWith(start));
};

const isPost = (key: string): boolean => (JSON.parse(key) as unknown[])[2] !== null;

const recorded = (file: SnapshotFile, route: string): Promise<unknown[]> =>
  Promise.all(keysOf(file, route).map((key) => file.json(key)));

async function newest(file: SnapshotFile, route: string, posted: boolean): Promise<unknown> {
  const key = keysOf(file, route).find((one) => isPost(one) === posted);
  return key === undefined ? null : await file.json(key);
}

interface ImportanceBody {
  readonly summary_dir: { readonly in: readonly string[] };
  readonly parameters: readonly string[];
  readonly targets: readonly string[];
}

/** The answer about the same runs and parameters, in any order. */
async function importancesOf(file: SnapshotFile, wanted: ImportanceBody): Promise<unknown> {
  const isSame = (some: readonly string[], others: readonly string[]): boolean =>
    some.length === others.length && new Set([...some, ...others]).size === some.length;
  for (const key of keysOf(file, IMPORTANCES)) {
    const [, , known] = JSON.parse(key) as [string, unknown, ImportanceBody];
    if (
      isSame(known.targets, wanted.targets) &&
      isSame(known.summary_dir.in, wanted.summary_dir.in) &&
      isSame(known.parameters, wanted.parameters)
    )
      return file.json(key);
  }
  return null;
}

interface FindingsQuestion {
  readonly train_id?: readonly string[];
  readonly kind?: readonly string[];
  readonly severity?: readonly string[];
  readonly without?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}

interface Findings {
  readonly events: readonly {
    readonly train_id: string;
    readonly kind: string;
    readonly severity: string;
  }[];
  readonly marks?: Readonly<Record<string, readonly { readonly kind: string }[]>>;
}

function findingsOf(all: unknown, question: FindingsQuestion): unknown {
  if (all === null) return null;
  const { train_id = [], kind = [], severity = [], without = [] } = question;
  const { offset = 0, limit = Infinity } = question;
  const passes = (wanted: readonly string[], one: string): boolean =>
    wanted.length === 0 || wanted.includes(one);
  const { events: everyone, marks: everywhere = {} } = all as Findings;
  const events = everyone.filter(
    (event) =>
      passes(train_id, event.train_id) &&
      passes(kind, event.kind) &&
      passes(severity, event.severity) &&
      !without.includes(event.train_id),
  );
  const marks = Object.entries(everywhere)
    .filter(([trainId]) => passes(train_id, trainId))
    .map(([trainId, of]) => [trainId, of.filter((one) => passes(kind, one.kind))] as const);
  return {
    ...all,
    total: events.length,
    events: events.slice(offset, offset + limit),
    marks: Object.fromEntries(marks),
  };
}

function restartsOf(answers: readonly unknown[], query: URLSearchParams): unknown {
  const [runs, tags] = [new Set(query.getAll('train_id')), new Set(query.getAll('tag'))];
  type Restarts = readonly { readonly train_id: string; readonly tag: string }[];
  const all = (answers as { readonly restarts: Restarts }[]).flatMap(({ restarts }) => restarts);
  return { restarts: all.filter(({ train_id, tag }) => runs.has(train_id) && tags.has(tag)) };
}

/** Recorded one run at a time; the page requests those of all selected runs. */
async function landscapesOf(file: SnapshotFile, url: URL): Promise<unknown> {
  const known = new Set(keysOf(file, LANDSCAPES));
  const answers = await Promise.all(
    url.searchParams.getAll('train_id').map(async (trainId) => {
      const one = new URL(url);
      one.searchParams.delete('train_id');
      one.searchParams.set('train_id', trainId);
      const key = answerKey(one, null);
      return known.has(key) ? await file.json(key) : null;
    }),
  );
  const found = answers.filter((answer) => answer !== null);
  if (found.length === 0) return null;
  return {
    landscapes: (found as { landscapes: readonly unknown[] }[]).flatMap((one) => one.landscapes),
  };
}
