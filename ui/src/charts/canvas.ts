import { ref, watch, type Ref } from 'vue';

import type { Size } from '@/base/shapes';
import { useResize } from '@/paper/printing';

export function clearedContext(
  canvas: HTMLCanvasElement,
  { width, height }: Size,
): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  // Also clears the canvas and resets the transformation.
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  context?.scale(devicePixelRatio, devicePixelRatio);
  return context;
}

export function usePaintedCanvas(
  canvas: Readonly<Ref<HTMLCanvasElement | null>>,
  content: () => unknown,
  paint: (context: CanvasRenderingContext2D, size: Size) => void,
): Readonly<Ref<Size>> {
  const size = ref<Size>({ width: 0, height: 0 });
  useResize(canvas, (now) => (size.value = now));
  watch(
    [size, content],
    () => {
      const { width, height } = size.value;
      const context =
        canvas.value && width > 0 && height > 0 ? clearedContext(canvas.value, size.value) : null;
      if (context) paint(context, size.value);
    },
    { flush: 'post' },
  );
  return size;
}

export function pointerIn(event: MouseEvent): readonly [left: number, top: number] {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

export const LABEL_FONT = '11px system-ui, sans-serif';

export interface Label {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly align: CanvasTextAlign;
}

export function paintLabels(
  context: CanvasRenderingContext2D,
  labels: readonly Label[],
  color: string,
): void {
  context.fillStyle = color;
  context.font = LABEL_FONT;
  context.textBaseline = 'middle';
  for (const { text, left, top, align } of labels) {
    context.textAlign = align;
    context.fillText(text, left, top);
  }
}
