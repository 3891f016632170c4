import type { Size, Spot } from '@/base/shapes';

/** What full screen shows: at scale 1 the image fits its frame. Offsets are from the center. */
export interface Zoom extends Spot {
  readonly scale: number;
}

export const FITTED: Zoom = { scale: 1, x: 0, y: 0 };

/** CSS pixels per image pixel at which the whole image is visible. */
export function fitScale(image: Size, frame: Size): number {
  if (!(image.width > 0 && image.height > 0)) return 1;
  return Math.min(frame.width / image.width, frame.height / image.height);
}

const MOST_PER_PIXEL = 64;
const LEAST_ZOOM = 8;

/** Zoomed by a factor around a point, which stays where it is. Points are from the center. */
export function zoomedAt({ scale, x, y }: Zoom, at: Spot, factor: number, fit: number): Zoom {
  const most = Math.max(LEAST_ZOOM, MOST_PER_PIXEL / fit);
  const next = Math.min(most, Math.max(1, scale * factor));
  const ratio = next / scale;
  return { scale: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio };
}

/** Without moving the image's edges into the frame. */
export function kept({ scale, x, y }: Zoom, image: Size, frame: Size): Zoom {
  const fit = fitScale(image, frame) * scale;
  const within = (offset: number, shown: number, room: number): number => {
    const most = Math.max(0, (shown - room) / 2);
    return Math.min(most, Math.max(-most, offset)) + 0; // never -0
  };
  return {
    scale,
    x: within(x, image.width * fit, frame.width),
    y: within(y, image.height * fit, frame.height),
  };
}

/** Double click: to the image's own pixels, or back. */
export const toggled = (zoom: Zoom, at: Spot, fit: number): Zoom =>
  zoom.scale > 1 ? FITTED : zoomedAt(zoom, at, Math.max(2, 1 / fit), fit);
