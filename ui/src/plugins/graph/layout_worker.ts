import Elk from 'elkjs/lib/elk-api.js';
import elkWorker from 'elkjs/lib/elk-worker.min.js?url';

import { elkEngine } from './elk_flow';
import { layoutOf, type Inside, type Placed } from './layout';

export interface LayoutQuestion {
  readonly turn: number;
  readonly root: Inside;
}
export interface LayoutAnswer {
  readonly turn: number;
  readonly placed: Placed;
}

// ELK is large: loaded with the first flow that needs it.
const elk = elkEngine(() => new Elk({ workerUrl: elkWorker }));

self.onmessage = async ({ data }: MessageEvent<LayoutQuestion>) => {
  self.postMessage({
    turn: data.turn,
    placed: await layoutOf(data.root, elk),
  } satisfies LayoutAnswer);
};
