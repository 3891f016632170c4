export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export type Rectangle = Size & Spot;
