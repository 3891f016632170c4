import type { TrainJob } from '@/api/train_jobs';

import { job } from './jobs_for_tests';

const OVERVIEW = {
  plugins: { scalar: 1_300 },
  formats: { tensorboard: 1_300 },
  scalar_tags: { loss: 1_300 },
  unmeasured_tags: {},
  lineages: 0,
  fields: {
    opt: { kind: 'number', count: 1_300, differs: true },
    'metric/acc': { kind: 'number', count: 1_300, differs: true },
  },
  parameters: ['opt', 'metric/acc'],
  shown_as: {},
};

/** A server of many runs, `run_0` last; answers can be held back until they are released. */
export class WindowedServer {
  version = 1;
  failing = false;
  names = Array.from({ length: 1_300 }, (_, i) => `run_${i}`);
  groupCount = 450;
  readonly requests: URL[] = [];
  private held: (() => void)[] | null = null;

  hold(): void {
    this.held = [];
  }

  /** Answer the requests that wait, the latest first. */
  async release(): Promise<void> {
    const waiting = this.held ?? [];
    this.held = null;
    for (const answer of waiting.reverse()) {
      answer();
      await settled();
    }
  }

  askedFor(route: string): URLSearchParams[] {
    return this.requests
      .filter(({ pathname }) => pathname.endsWith(route))
      .map(({ searchParams }) => searchParams);
  }

  readonly fetch = async (url: URL): Promise<Response> => {
    this.requests.push(url);
    const answer = this.failing ? null : this.answer(url);
    const { held } = this;
    if (held) await new Promise<void>((done) => held.push(done));
    if (answer !== null) return Response.json(answer);
    return Response.json({ error_code: '50540000', error_msg: 'Broken.' }, { status: 500 });
  };

  private answer({ pathname, searchParams: query }: URL): object {
    const filter = query.get('filter') ?? '';
    const wanted = query.getAll('train_id');
    const ids = this.names
      .map((name) => `./${name}`)
      .filter((id) => id.includes(filter) && (wanted.length === 0 || wanted.includes(id)));
    if (query.getAll('order').includes('-metric/acc')) ids.reverse();
    const offset = Number(query.get('offset') ?? 0);
    const page = ids.slice(offset, offset + Number(query.get('limit') ?? ids.length));
    const counts = { data_version: this.version, total: this.names.length, matching: ids.length };
    if (pathname.endsWith('train-job-overview')) return { ...counts, ...OVERVIEW };
    if (pathname.endsWith('train-job-ids')) return { ...counts, train_ids: page };
    if (pathname.endsWith('train-job-groups'))
      return { ...counts, ...groups(query, this.groupCount) };
    if (!pathname.endsWith('train-job-columns')) return { ...counts, train_id: [], columns: {} };
    const rows = page.map((id) => job(id.slice(2), 1));
    const names = Object.keys(job('any', 0)) as (keyof TrainJob)[];
    const columns = names.map((name) => [name, rows.map((row) => row[name])] as const);
    return { ...counts, columns: Object.fromEntries(columns) };
  }
}

/** Groups by `opt`, of two runs each. */
function groups(query: URLSearchParams, count: number): object {
  const offset = Number(query.get('offset'));
  const limit = Math.min(1_000, Number(query.get('limit')));
  const numbers = Array.from({ length: count }, (_, i) => i).slice(offset, offset + limit);
  return {
    fields: query.getAll('by'),
    group_count: count,
    groups: numbers.map((number) => ({
      values: [number],
      key: `${number}`,
      count: 2,
      columns: { opt: { value: number }, 'metric/acc': { value: null, mean: 0.5, std: 0.1, n: 2 } },
    })),
  };
}

/** Until all answers at hand have been taken. */
export const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
