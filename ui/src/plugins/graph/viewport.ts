/** Which part of a picture is seen: a point (x, y) of it is at (x * scale + left, y * scale + top). */
export interface Viewport {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

export interface Extent {
  readonly width: number;
  readonly height: number;
}
export interface Rectangle extends Extent {
  readonly x: number;
  readonly y: number;
}

/** What a page asks of the picture. */
export interface CanvasHandle {
  readonly fit: () => void;
  readonly centre: (name: string) => void;
  readonly step: (factor: number) => void;
  readonly move: (to: Viewport) => void;
}

const LEAST = 0.02;
const MOST = 4;
const MARGIN = 24;

/** Zooms by a factor around a point of the screen. */
export function zoomed(view: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
  const ratio = scale / view.scale;
  return { left: x - (x - view.left) * ratio, top: y - (y - view.top) * ratio, scale };
}

/** All of a picture in the middle of the screen, never larger than it is. */
export function fitted(picture: Extent, screen: Extent): Viewport {
  const scale = Math.min(
    1,
    Math.max(
      LEAST,
      Math.min(
        (screen.width - 2 * MARGIN) / Math.max(1, picture.width),
        (screen.height - 2 * MARGIN) / Math.max(1, picture.height),
      ),
    ),
  );
  return {
    left: (screen.width - picture.width * scale) / 2,
    top: (screen.height - picture.height * scale) / 2,
    scale,
  };
}

/** A readable view of the upper end where all of it would be too small to read. */
export function opened(picture: Extent, screen: Extent): Viewport {
  const all = fitted(picture, screen);
  if (all.scale >= 0.7) return all;
  const scale = 0.8;
  return { left: (screen.width - picture.width * scale) / 2, top: MARGIN, scale };
}

/** A rectangle of the picture moved to the middle, at a scale that can be read. */
export function centred(view: Viewport, box: Rectangle, screen: Extent): Viewport {
  const scale = Math.max(0.6, Math.min(view.scale, 1.5));
  return {
    left: screen.width / 2 - (box.x + box.width / 2) * scale,
    top: screen.height / 2 - (box.y + Math.min(box.height, screen.height / scale / 2) / 2) * scale,
    scale,
  };
}

/** A view as text, `x,y,scale`: the point of the picture in the middle, so that it is the same on every screen. */
export function placeText({ left, top, scale }: Viewport, screen: Extent): string {
  const middle = [(screen.width / 2 - left) / scale, (screen.height / 2 - top) / scale];
  return [...middle.map((value) => Math.round(value)), Number(scale.toPrecision(3))].join(',');
}

/** Null: the text means no view. */
export function placeOf(text: string, screen: Extent): Viewport | null {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const [x = NaN, y = NaN, scale = NaN] = numbers;
  if (
    numbers.length !== 3 ||
    !numbers.every((value) => Math.abs(value) < 1e9) ||
    scale < LEAST ||
    scale > MOST
  )
    return null;
  return { left: screen.width / 2 - x * scale, top: screen.height / 2 - y * scale, scale };
}

/** What of the picture is on the screen. */
export function seenPart(view: Viewport, screen: Extent): Rectangle {
  return {
    x: -view.left / view.scale,
    y: -view.top / view.scale,
    width: screen.width / view.scale,
    height: screen.height / view.scale,
  };
}

export function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
