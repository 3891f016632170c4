import { inject, provide, shallowReactive, watch, type InjectionKey } from 'vue';

import type { Size } from '@/base/shapes';

type Shapes = Map<string, Size>;

const KEY: InjectionKey<Shapes> = Symbol('sizes of the images of a page, by card');

/** The height of a card of a width, by its key; undefined before the image's size is known. */
export function useCardHeights(): (card: string, width: number) => number | undefined {
  const shapes: Shapes = shallowReactive(new Map<string, Size>());
  provide(KEY, shapes);
  return (card, width) => {
    const shape = shapes.get(card);
    return shape && cardHeight(shape, width);
  };
}

/** Reports the size of a card's image to its page. */
export function useShapeOfCard(key: () => string, size: () => Size | null): void {
  const shapes = inject(KEY, null);
  watch(
    [key, () => size()?.width, () => size()?.height] as const,
    ([name, width, height]) => {
      if (width && height) shapes?.set(name, { width, height });
    },
    { immediate: true },
  );
}

/** Of a card around its image, in CSS pixels. */
const FRAME = { width: 26, height: 98 };
const LEAST = 56;
/** Taller images are shrunk. */
const TALLEST = 1.5;

/** The height of a card of a width whose image fills that width. */
export function cardHeight({ width, height }: Size, cardWidth: number): number {
  const room = Math.max(1, cardWidth - FRAME.width);
  const filled = room * Math.min(TALLEST, height / width);
  return Math.round(Math.max(LEAST, filled) + FRAME.height);
}
