/**
 * Strokes that cost little. Without a GPU, browsers turn a path that is wider than a pixel of the
 * screen into an outline first, and fill that: thirty to fifty times the work of a hairline, a third
 * of a second for 40 lines of 1,000 noisy points.
 */

export type Path = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>;

/** More vertices than this are drawn as hairlines. */
export const MOST_WIDE = 2_500;

/** Where else a hairline is drawn to look as wide as two or three. */
const RING = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The width of a line that browsers draw quickly; a hair less than a pixel, or rounding makes it more. */
export function hairline(ratio: number): number {
  return 0.99 / ratio;
}

/** A stroke that looks `width` wide, made of hairlines. */
export function strokeHairlines(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  trace: (path: Path) => void,
  width: number,
  ratio: number,
): void {
  context.lineWidth = hairline(ratio);
  context.setLineDash([]);
  const reach = (width - 1 / ratio) / 2;
  if (reach < 0.1) {
    context.beginPath();
    trace(context);
    context.stroke();
    return;
  }
  const path = new Path2D();
  trace(path);
  context.stroke(path);
  for (const [left, top] of RING) {
    context.translate(left * reach, top * reach);
    context.stroke(path);
    context.translate(-left * reach, -top * reach);
  }
}

/** Where a line's dashes begin: not where others do, or all had their gaps in the same places. */
export function dashStart(id: string): number {
  let sum = 0;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 997;
  return sum;
}

/**
 * A path with gaps where they would be if the line were level: dashes along a noisy line are hard
 * to make out, and cost more than the line. `from`: where the pattern begins.
 */
export function dashed(path: Path, dash: readonly number[], from = 0): Path {
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (period === 0) return path;
  let left = NaN;
  let top = NaN;
  let pen = false;
  let ink = true;
  let end = -Infinity;
  const findEnd = (): void => {
    end = from + Math.floor((left - from) / period) * period;
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
        const height =
          stop === toLeft ? toTop : top + ((toTop - top) * (stop - left)) / (toLeft - left);
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
