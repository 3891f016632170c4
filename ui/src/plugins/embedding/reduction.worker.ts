import { TSNE } from '@keckelt/tsne';
import { UMAP } from 'umap-js';

import { repeatableRandom, rowsOf, type ReductionMessage, type ReductionRequest } from './reduction';

/** Reduces vectors to two or three dimensions, apart from the page, which stays alive meanwhile. */

const TSNE_STEPS = 500;

function say(message: ReductionMessage): void {
  postMessage(message);
}

function umap({ vectors, dimensions }: ReductionRequest): number[][] {
  const reducer = new UMAP({
    nComponents: dimensions, nNeighbors: Math.max(2, Math.min(15, vectors.count - 1)), random: repeatableRandom(7),
  });
  const rows = rowsOf(vectors);
  const epochs = reducer.initializeFit(rows);
  for (let epoch = 0; epoch < epochs; epoch++) {
    reducer.step();
    if (epoch % 10 === 0) say({ kind: 'progress', share: epoch / epochs });
  }
  return reducer.getEmbedding();
}

function tsne({ vectors, dimensions }: ReductionRequest): number[][] {
  // The library asks Math.random: in this worker nobody else does.
  Math.random = repeatableRandom(7);
  const reducer = new TSNE({ epsilon: 10, dim: dimensions, perplexity: Math.max(2, Math.min(30, Math.floor((vectors.count - 1) / 3))) });
  reducer.initDataRaw(rowsOf(vectors));
  for (let step = 0; step < TSNE_STEPS; step++) {
    reducer.step();
    if (step % 10 === 0) say({ kind: 'progress', share: step / TSNE_STEPS });
  }
  return reducer.getSolution() as number[][];
}

addEventListener('message', ({ data }: MessageEvent<ReductionRequest>) => {
  try {
    say({ kind: 'points', points: data.method === 'umap' ? umap(data) : tsne(data) });
  } catch (reason) {
    say({ kind: 'failed', reason: reason instanceof Error ? reason.message : String(reason) });
  }
});
