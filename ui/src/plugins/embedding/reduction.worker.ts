import { TSNE } from '@keckelt/tsne';
import { UMAP } from 'umap-js';

import { putBack, repeatableRandom, rowsOf, type ReductionMessage, type ReductionRequest } from './reduction';

/** Reduces vectors to two or three dimensions, apart from the page, which stays alive meanwhile. */

const TSNE_STEPS = 500;

function say(message: ReductionMessage): void {
  postMessage(message);
}

function umap(rows: number[][], dimensions: number): number[][] {
  const reducer = new UMAP({
    nComponents: dimensions, nNeighbors: Math.max(2, Math.min(15, rows.length - 1)), random: repeatableRandom(7),
  });
  const epochs = reducer.initializeFit(rows);
  for (let epoch = 0; epoch < epochs; epoch++) {
    reducer.step();
    if (epoch % 10 === 0) say({ kind: 'progress', share: epoch / epochs });
  }
  return reducer.getEmbedding();
}

function tsne(rows: number[][], dimensions: number): number[][] {
  // The library asks Math.random: in this worker nobody else does.
  Math.random = repeatableRandom(7);
  const reducer = new TSNE({ epsilon: 10, dim: dimensions, perplexity: Math.max(2, Math.min(30, Math.floor((rows.length - 1) / 3))) });
  reducer.initDataRaw(rows);
  for (let step = 0; step < TSNE_STEPS; step++) {
    reducer.step();
    if (step % 10 === 0) say({ kind: 'progress', share: step / TSNE_STEPS });
  }
  return reducer.getSolution() as number[][];
}

addEventListener('message', ({ data }: MessageEvent<ReductionRequest>) => {
  try {
    const rows = rowsOf(data.vectors);
    const placeable = rows.filter((row) => row !== null);
    const places = (data.method === 'umap' ? umap : tsne)(placeable, data.dimensions);
    say({ kind: 'points', points: putBack(rows, places) });
  } catch (reason) {
    say({ kind: 'failed', reason: reason instanceof Error ? reason.message : String(reason) });
  }
});
