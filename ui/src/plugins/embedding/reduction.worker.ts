import { TSNE } from '@keckelt/tsne';
import { UMAP } from 'umap-js';

import {
  possibleNeighbours,
  putBack,
  repeatableRandom,
  rowsOf,
  type ReductionCommand,
  type ReductionMessage,
  type ReductionRequest,
} from './reduction';

/** Reduces vectors to two or three dimensions in a worker, so the page stays responsive. */

const TSNE_STEPS = 500;
/** Milliseconds between two pictures of the points on their way. */
const PICTURE_MS = 120;

interface Reducer {
  readonly steps: number;
  readonly step: () => void;
  readonly places: () => number[][];
}

const say = (message: ReductionMessage): void => postMessage(message);

function umap(rows: number[][], dimensions: number, neighbours: number): Reducer {
  const reducer = new UMAP({
    nComponents: dimensions,
    nNeighbors: neighbours,
    random: repeatableRandom(7),
  });
  return {
    steps: reducer.initializeFit(rows),
    step: () => reducer.step(),
    places: () => reducer.getEmbedding(),
  };
}

function tsne(rows: number[][], dimensions: number, perplexity: number): Reducer {
  // The library calls Math.random.
  Math.random = repeatableRandom(7);
  const reducer = new TSNE({ epsilon: 10, dim: dimensions, perplexity });
  reducer.initDataRaw(rows);
  return {
    steps: TSNE_STEPS,
    step: () => reducer.step(),
    places: () => reducer.getSolution() as number[][],
  };
}

let resume: (() => void) | null = null;
let paused: Promise<void> | null = null;

async function reduce(request: ReductionRequest): Promise<void> {
  const rows = rowsOf(request.vectors);
  const placeable = rows.filter((row) => row !== null);
  const reducer = (request.method === 'umap' ? umap : tsne)(
    placeable,
    request.dimensions,
    possibleNeighbours(request, placeable.length),
  );
  let shown = performance.now();
  for (let step = 0; step < reducer.steps; step++) {
    reducer.step();
    if (performance.now() - shown < PICTURE_MS) continue;
    say({
      kind: 'progress',
      share: step / reducer.steps,
      points: putBack(rows, reducer.places()),
    });
    // Lets a request to pause arrive.
    await new Promise((done) => setTimeout(done));
    await paused;
    shown = performance.now();
  }
  say({ kind: 'points', points: putBack(rows, reducer.places()) });
}

addEventListener('message', ({ data }: MessageEvent<ReductionCommand>) => {
  if (data.kind === 'start') {
    reduce(data.request).catch((reason: unknown) =>
      say({ kind: 'failed', reason: reason instanceof Error ? reason.message : String(reason) }),
    );
  } else if (data.kind === 'pause') {
    paused ??= new Promise((done) => (resume = done));
  } else {
    resume?.();
    paused = null;
  }
});
