/**
 * Strokes that cost little. Without a GPU, browsers turn a path that is wider than a pixel of the
 * screen into an outline first, and fill that: thirty to fifty times the work of a hairline, a third
 * of a second for 40 lines of 1,000 noisy points.
 */

export type Path = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>;

/** More vertices than this are drawn as hairlines. */
export const MOST_WIDE = 2_500;

/** Where else a hairline is drawn to look as wide as two or three. */
const RING = Array.from({ length: 8 }, (_, i): [number, number] => [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)]);

/** The width of a line that browsers draw quickly; a hair less than a pixel, or rounding makes it more. */
export function hairline(ratio: number): number {
  return 0.99 / ratio;
}

/** A stroke that looks `width` wide, made of hairlines. */
export function strokeHairlines(context: CanvasRenderingContext2D, trace: () => void, width: number, ratio: number): void {
  context.lineWidth = hairline(ratio);
  context.setLineDash([]);
  const reach = Math.max(0, width - 1 / ratio) / 2;
  for (const [left, top] of reach > 0.1 ? [[0, 0] as const, ...RING] : [[0, 0] as const]) {
    context.translate(left * reach, top * reach);
    context.beginPath();
    trace();
    context.stroke();
    context.translate(-left * reach, -top * reach);
  }
}

/**
 * A path with gaps where they would be if the line were level: dashes along a noisy line are hard
 * to make out, and cost more than the line.
 */
export function dashed(path: Path, dash: readonly number[]): Path {
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (period === 0) return path;
  let left = NaN;
  let top = NaN;
  let pen = false;
  let ink = true;
  let end = -Infinity;
  const findEnd = (): void => {
    end = Math.floor(left / period) * period;
    for (const [i, length] of dash.entries()) {
      end += length;
      ink = i % 2 === 0;
      if (left < end) return;
    }
    end = left + 0.01; // rounding
  };
  return {
    moveTo: (toLeft, toTop) => {
      left = toLeft;
      top = toTop;
      pen = false;
      findEnd();
    },
    lineTo: (toLeft, toTop) => {
      for (;;) {
        if (left >= end) findEnd();
        const stop = Math.min(toLeft, end);
        const height = stop === toLeft ? toTop : top + ((toTop - top) * (stop - left)) / (toLeft - left);
        if (ink) {
          if (!pen) path.moveTo(left, top);
          path.lineTo(stop, height);
        }
        pen = ink;
        left = stop;
        top = height;
        if (stop === toLeft) return;
      }
    },
  };
}
