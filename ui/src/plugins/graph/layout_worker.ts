import { layoutOf, type Inside, type Placed } from './layout';

/** Lays graphs out beside the page, so that it can be used meanwhile. */
export interface LayoutQuestion { readonly turn: number; readonly root: Inside }
export interface LayoutAnswer { readonly turn: number; readonly placed: Placed }

self.onmessage = ({ data }: MessageEvent<LayoutQuestion>) => {
  self.postMessage({ turn: data.turn, placed: layoutOf(data.root) } satisfies LayoutAnswer);
};
