import { unpackedWords } from './packed_words';

/** What a snapshot is of, and what it leaves out. */
export interface SnapshotFacts {
  /** The log directory. */
  readonly source: string;
  /** Unix seconds. */
  readonly created: number;
  readonly mindviz: string;
  /** The fragment of the page's URL. */
  readonly view: string;
  readonly budget: number;
  readonly runs: { readonly all: number; readonly kept: number };
  /** Scalar series of the source, those in the snapshot, and those of them with fewer points. */
  readonly series: {
    readonly all: number;
    readonly kept: number;
    readonly reduced: number;
    /** The most points of a reduced series; null: all are exact. */
    readonly most_points: number | null;
  };
  /** Values such as images, histograms and graphs that did not fit. */
  readonly left_out: number;
  /** Whether collecting the data took too long. */
  readonly out_of_time: boolean;
}

interface Part {
  readonly kind: 'answer' | 'scalars';
  /** Of answers: the request. */
  readonly key: string;
  readonly type: string;
  readonly packing: 'plain' | 'gzip' | 'words';
  readonly start: number;
  readonly size: number;
  /** Of scalars: what `smoothed` was computed with. */
  readonly smoothing?: string;
  /** Bytes before padding. */
  readonly length?: number;
}

interface Header {
  readonly format: number;
  readonly facts: SnapshotFacts;
  readonly parts: readonly Part[];
}

const MAGIC = 'mindvizS';
const FORMAT = 1;

export class UnreadableSnapshot extends Error {
  constructor(readonly why: 'damaged' | 'newer') {
    super(`The snapshot is ${why}.`);
  }
}

/** The data of a snapshot: recorded answers, and columns of scalars. */
export class SnapshotFile {
  private readonly byKey: ReadonlyMap<string, Part>;

  private constructor(
    readonly facts: SnapshotFacts,
    private readonly parts: readonly Part[],
    private readonly body: Uint8Array<ArrayBuffer>,
  ) {
    this.byKey = new Map(
      parts.filter(({ kind }) => kind === 'answer').map((part) => [part.key, part]),
    );
  }

  /** Throws UnreadableSnapshot if these are not the data of a snapshot that this page can read. */
  static async of(bytes: Uint8Array<ArrayBuffer>): Promise<SnapshotFile> {
    const magic = new TextDecoder('latin1').decode(bytes.subarray(0, 8));
    if (magic !== MAGIC) throw new UnreadableSnapshot('damaged');
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
    const head = await unzipped(bytes.subarray(12, 12 + size));
    const header = JSON.parse(new TextDecoder().decode(head)) as Header;
    if (header.format !== FORMAT) throw new UnreadableSnapshot('newer');
    return new SnapshotFile(header.facts, header.parts, bytes.subarray(12 + size));
  }

  get keys(): Iterable<string> {
    return this.byKey.keys();
  }

  typeOf(key: string): string | undefined {
    return this.byKey.get(key)?.type;
  }

  async answer(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const part = this.byKey.get(key);
    return part ? await this.unpacked(part) : null;
  }

  async json(key: string): Promise<unknown> {
    return JSON.parse(new TextDecoder().decode((await this.answer(key)) ?? undefined));
  }

  /** An answer that is not compressed, such as an image; null for others. */
  plain(key: string): Uint8Array<ArrayBuffer> | null {
    const part = this.byKey.get(key);
    return part?.packing === 'plain' ? this.slice(part) : null;
  }

  /** Arrow streams of scalars, with the smoothing of their column `smoothed`. */
  scalars(): Promise<{ bytes: Uint8Array<ArrayBuffer>; smoothing: string }[]> {
    return Promise.all(
      this.parts
        .filter(({ kind }) => kind === 'scalars')
        .map(async (part) => ({
          bytes: await this.unpacked(part),
          smoothing: part.smoothing ?? '',
        })),
    );
  }

  private slice({ start, size }: Part): Uint8Array<ArrayBuffer> {
    return this.body.subarray(start, start + size);
  }

  private async unpacked(part: Part): Promise<Uint8Array<ArrayBuffer>> {
    const stored = this.slice(part);
    if (part.packing === 'plain') return stored;
    const bytes = await unzipped(stored);
    return part.packing === 'gzip' ? bytes : unpackedWords(bytes).subarray(0, part.length);
  }
}

export async function unzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
