/** Without a GPU, strokes wider than a pixel cost 30 to 50 times as much as hairlines. */

export type Path = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>;

export const MOST_WIDE = 2_500;

const RING = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The widest line that browsers draw fast: rounding may make a full pixel wider. */
export const hairline = (ratio: number): number => 0.99 / ratio;

export function strokeHairlines(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  trace: (path: Path) => void,
  width: number,
  ratio: number,
): void {
  context.lineWidth = hairline(ratio);
  context.setLineDash([]);
  let reach = (width - 1 / ratio) / 2;
  if (reach < 0.1) {
    context.beginPath();
    trace(context);
    context.stroke();
    return;
  }
  const path = new Path2D();
  trace(path);
  // Rings a device pixel apart leave no gap; the innermost may cover the middle.
  for (; reach > 0.25 / ratio; reach -= 1 / ratio) {
    for (const [left, top] of RING) {
      context.translate(left * reach, top * reach);
      context.stroke(path);
      context.translate(-left * reach, -top * reach);
    }
  }
  if (reach > -0.5 / ratio) context.stroke(path);
}

/** Dashes start at different places, so that lines don't have gaps at the same ones. */
export function dashStart(id: string): number {
  let sum = 0;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 997;
  return sum;
}

/** Dashes as if the line were level: along a noisy line they are hard to see and slow. */
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
