import type { Spot } from '@/base/shapes';

interface Gestures {
  readonly host: () => HTMLElement | null;
  readonly pan: (dx: number, dy: number) => void;
  readonly zoom: (factor: number, x: number, y: number) => void;
}

/** Pixels below which a press counts as a click. */
const STILL = 4;

/** One pointer pans, two pointers and the wheel zoom. */
export function useGestures({ host, pan, zoom }: Gestures) {
  const pointers = new Map<number, Spot>();
  let moved = 0;

  function zoomAt(factor: number, clientX: number, clientY: number): void {
    const box = host()?.getBoundingClientRect();
    if (box) zoom(factor, clientX - box.left, clientY - box.top);
  }

  function pointerdown(event: PointerEvent): void {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = 0;
  }

  function pointermove(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    pointers.set(event.pointerId, now);
    if (moved < STILL) return;
    // Not earlier: with capture, a click would go to the host.
    host()?.setPointerCapture(event.pointerId);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) zoomAt(distance(now, other) / distance(before, other), other.x, other.y);
    else pan(now.x - before.x, now.y - before.y);
  }

  function pointerup(event: PointerEvent): void {
    pointers.delete(event.pointerId);
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    zoomAt(
      Math.exp(-event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 0.05 : 0.0015)),
      event.clientX,
      event.clientY,
    );
  }

  return {
    listeners: { pointerdown, pointermove, pointerup, pointercancel: pointerup, wheel },
    moved: () => moved >= STILL,
  };
}

function distance(a: Spot, b: Spot): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
