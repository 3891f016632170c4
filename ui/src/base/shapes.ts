export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}
