import type { Rectangle, Size } from '@/base/shapes';

/** A point (x, y) of the picture is at (x * scale + left, y * scale + top). */
export interface Viewport {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

export interface CanvasHandle {
  readonly fit: () => void;
  readonly centre: (name: string) => void;
  readonly step: (factor: number) => void;
  readonly move: (to: Viewport) => void;
}

const LEAST = 0.02;
const MOST = 4;
const MARGIN = 24;
/** The buttons at the bottom. */
const BUTTONS = 52;

export function zoomed(view: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
  const ratio = scale / view.scale;
  return { left: x - (x - view.left) * ratio, top: y - (y - view.top) * ratio, scale };
}

/** The whole picture, above the buttons, unless it is on paper. */
export function fitted(picture: Size, screen: Size, bottom = BUTTONS): Viewport {
  const height = screen.height - Math.max(0, bottom - MARGIN);
  const scale = Math.min(
    1,
    Math.max(
      LEAST,
      Math.min(
        (screen.width - 2 * MARGIN) / Math.max(1, picture.width),
        (height - 2 * MARGIN) / Math.max(1, picture.height),
      ),
    ),
  );
  return {
    left: (screen.width - picture.width * scale) / 2,
    top: (height - picture.height * scale) / 2,
    scale,
  };
}

/** Names are readable from here on; phones have finer pixels and are held closer. */
const leastOpened = (screen: Size): number => (screen.width < 600 ? 0.35 : 0.5);

/** The whole picture if readable, else its top around `start`, the place of its first boxes. */
export function opened(picture: Size & { readonly start: number }, screen: Size): Viewport {
  const all = fitted(picture, screen);
  const least = leastOpened(screen);
  if (all.scale >= least) return all;
  // As wide as the screen, if that is readable.
  const scale = Math.min(
    1,
    Math.max(least, (screen.width - 2 * MARGIN) / Math.max(1, picture.width)),
  );
  const width = picture.width * scale;
  const left =
    width <= screen.width - 2 * MARGIN
      ? (screen.width - width) / 2
      : Math.max(
          screen.width - MARGIN - width,
          Math.min(MARGIN, screen.width / 2 - picture.start * scale),
        );
  return { left, top: MARGIN, scale };
}

export function centred(view: Viewport, box: Rectangle, screen: Size): Viewport {
  const scale = Math.max(0.6, Math.min(view.scale, 1.5));
  return {
    left: screen.width / 2 - (box.x + box.width / 2) * scale,
    top: screen.height / 2 - (box.y + Math.min(box.height, screen.height / scale / 2) / 2) * scale,
    scale,
  };
}

/** `x,y,scale` of the center, so that it fits every screen. */
export function placeText({ left, top, scale }: Viewport, screen: Size): string {
  const middle = [(screen.width / 2 - left) / scale, (screen.height / 2 - top) / scale];
  return [...middle.map((value) => Math.round(value)), Number(scale.toPrecision(3))].join(',');
}

export function placeOf(text: string, screen: Size): Viewport | null {
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

export const seenPart = (view: Viewport, screen: Size): Rectangle => ({
  x: -view.left / view.scale,
  y: -view.top / view.scale,
  width: screen.width / view.scale,
  height: screen.height / view.scale,
});

export const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
