import { LABEL_FONT } from '@/charts/canvas';
import type { PageColors } from '@/charts/page_colors';

import { CURVE_TICKS, type CurvePoint } from './curve';

export interface DrawnCurve {
  readonly label: string;
  readonly color: string;
  readonly points: readonly CurvePoint[];
}

const SIDE = 480;
const AREA = { left: 56, top: 36, right: 16, bottom: 44 };
const ROW = 18;
/** Device pixels per CSS pixel, on any screen. */
const SCALE = 2;

/** The curves with title, axes and legend, for a download. */
export function curvePicture(
  { title, x, y, chance }: { title: string; x: string; y: string; chance: boolean },
  curves: readonly DrawnCurve[],
  colors: PageColors,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const bottom = AREA.top + SIDE + AREA.bottom;
  const [width, height] = [AREA.left + SIDE + AREA.right, bottom + curves.length * ROW + 8];
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  const left = (value: number): number => AREA.left + value * SIDE;
  const top = (value: number): number => AREA.top + (1 - value) * SIDE;
  const line = (points: readonly (readonly [number, number])[]): void => {
    context.beginPath();
    for (const [a, b] of points) context.lineTo(left(a), top(b));
    context.stroke();
  };
  context.scale(SCALE, SCALE);
  context.fillStyle = colors.panel;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = colors.line;
  for (const { at } of CURVE_TICKS) {
    line([[0, at], [1, at]]); // prettier-ignore
    line([[at, 0], [at, 1]]); // prettier-ignore
  }
  context.fillStyle = colors.ink;
  context.font = `600 13px ${LABEL_FONT.replace(/^\d+px /, '')}`;
  context.fillText(title, 12, 20);
  context.font = LABEL_FONT;
  context.fillStyle = colors.dim;
  context.textAlign = 'center';
  for (const { at, label } of CURVE_TICKS) context.fillText(label, left(at), top(0) + 16);
  context.fillText(x, left(0.5), top(0) + 34);
  context.textAlign = 'right';
  for (const { at, label } of CURVE_TICKS) context.fillText(label, left(0) - 6, top(at) + 4);
  context.save();
  context.translate(14, top(0.5));
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.fillText(y, 0, 0);
  context.restore();
  if (chance) {
    context.strokeStyle = colors.dim;
    context.setLineDash([2, 4]);
    line([[0, 0], [1, 1]]); // prettier-ignore
    context.setLineDash([]);
  }
  context.textAlign = 'left';
  curves.forEach(({ label, color, points }, i) => {
    context.strokeStyle = color;
    context.lineWidth = 2;
    line(points.map((point) => [point.x, point.y] as const));
    context.fillStyle = color;
    context.fillRect(AREA.left, bottom + i * ROW - 9, 10, 10);
    context.fillStyle = colors.ink;
    context.fillText(label, AREA.left + 18, bottom + i * ROW);
  });
  return canvas;
}
