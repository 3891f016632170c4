import { TSNE } from '@keckelt/tsne';
import { UMAP } from 'umap-js';

import {
  possibleNeighbours,
  putBack,
  repeatableRandom,
  rowsOf,
  type ReductionMessage,
  type ReductionRequest,
} from './reduction';

/** Reduces vectors to two or three dimensions in a worker, so the page stays responsive. */

const TSNE_STEPS = 500;

const say = (message: ReductionMessage): void => postMessage(message);

function umap(rows: number[][], dimensions: number, neighbours: number): number[][] {
  const reducer = new UMAP({
    nComponents: dimensions,
    nNeighbors: neighbours,
    random: repeatableRandom(7),
  });
  const epochs = reducer.initializeFit(rows);
  for (let epoch = 0; epoch < epochs; epoch++) {
    reducer.step();
    if (epoch % 10 === 0) say({ kind: 'progress', share: epoch / epochs });
  }
  return reducer.getEmbedding();
}

function tsne(rows: number[][], dimensions: number, perplexity: number): number[][] {
  // The library calls Math.random.
  Math.random = repeatableRandom(7);
  const reducer = new TSNE({ epsilon: 10, dim: dimensions, perplexity });
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
    const places = (data.method === 'umap' ? umap : tsne)(
      placeable,
      data.dimensions,
      possibleNeighbours(data, placeable.length),
    );
    say({ kind: 'points', points: putBack(rows, places) });
  } catch (reason) {
    say({ kind: 'failed', reason: reason instanceof Error ? reason.message : String(reason) });
  }
});
