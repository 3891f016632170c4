import { onBeforeUnmount, ref, shallowRef, type Ref } from 'vue';

/** Pixels; shorter movements are clicks. */
const LEAST_DRAG = 6;
/** Pixels from the edge of the list at which it scrolls, and how far it scrolls per frame. */
const EDGE = 48;
const SCROLL = 14;

/** Where a dragged card would go: before or after the card of this name. */
export interface Drop {
  readonly name: string;
  readonly after: boolean;
}

export interface Dragged {
  readonly name: string;
  readonly section: string;
  readonly dx: number;
  readonly dy: number;
}

/** Moves cards with the pointer, within their section. The cards have `data-card`. */
export function useCardDrag(
  scroller: Readonly<Ref<HTMLElement | null>>,
  columns: () => number,
  moved: (dragged: Dragged, drop: Drop) => void,
): {
  dragged: Readonly<Ref<Dragged | null>>;
  drop: Readonly<Ref<Drop | null>>;
  pressed: (event: PointerEvent, name: string, section: string) => void;
} {
  const dragged = shallowRef<Dragged | null>(null);
  const drop = shallowRef<Drop | null>(null);
  const frame = ref(0);
  let stop = (): void => undefined;

  function pressed(event: PointerEvent, name: string, section: string): void {
    if (event.button !== 0) return;
    const list = scroller.value;
    if (!list) return;
    const start = { x: event.clientX, y: event.clientY + list.scrollTop };
    let last = event;

    const follow = (): void => {
      const dx = last.clientX - start.x;
      const dy = last.clientY + list.scrollTop - start.y;
      if (dragged.value === null && Math.hypot(dx, dy) < LEAST_DRAG) return;
      dragged.value = { name, section, dx, dy };
      drop.value = dropAt(list, last, name, section);
    };
    const scroll = (): void => {
      frame.value = requestAnimationFrame(scroll);
      if (dragged.value === null) return;
      const { top, bottom } = list.getBoundingClientRect();
      const by = last.clientY < top + EDGE ? -SCROLL : last.clientY > bottom - EDGE ? SCROLL : 0;
      if (by === 0) return;
      list.scrollTop += by;
      follow();
    };
    const move = (next: PointerEvent): void => {
      last = next;
      follow();
    };
    const end = (next: Event): void => {
      stop();
      const [now, to] = [dragged.value, drop.value];
      dragged.value = drop.value = null;
      if (next.type === 'pointerup' && now && to) moved(now, to);
    };
    const pressedKey = (next: KeyboardEvent): void => {
      if (next.key !== 'Escape' || dragged.value === null) return;
      next.preventDefault();
      end(next);
    };
    stop();
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    addEventListener('keydown', pressedKey);
    frame.value = requestAnimationFrame(scroll);
    stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', pressedKey);
      cancelAnimationFrame(frame.value);
    };
  }

  function dropAt(
    list: HTMLElement,
    { clientX: x, clientY: y }: PointerEvent,
    name: string,
    section: string,
  ): Drop | null {
    for (const card of list.querySelectorAll<HTMLElement>('[data-card]')) {
      const { card: other = '', section: of } = card.dataset;
      if (other === name || of !== section) continue;
      const { left, right, top, bottom } = card.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) continue;
      const after = columns() === 1 ? y > (top + bottom) / 2 : x > (left + right) / 2;
      return { name: other, after };
    }
    return null;
  }

  onBeforeUnmount(() => stop());

  return { dragged, drop, pressed };
}
