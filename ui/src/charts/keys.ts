import { nearestIndex } from '@/base/search';

import type { Hover, Line, Range } from './line';

export interface KeyMove {
  readonly x?: number;
  readonly zoom?: Range | null;
}

/** Arrow keys, Home and End move along a line; plus, minus and 0 zoom. */
export function keyMove(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  lines: readonly Line[],
  visible: Range,
  hover: Hover | null,
): KeyMove | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const line = lines.find(({ id }) => id === hover?.lineId) ?? lines[0];
  if (!line || line.x.length === 0) return null;
  const here = hover?.x ?? (visible[0] + visible[1]) / 2;
  const at = (index: number): KeyMove => ({
    x: Math.min(visible[1], Math.max(visible[0], line.x[clamp(index, line)] ?? here)),
  });
  const index = nearestIndex(line.x, here);
  switch (event.key) {
    case 'ArrowLeft':
      return at(hover ? index - 1 : index);
    case 'ArrowRight':
      return at(hover ? index + 1 : index);
    case 'Home':
      return at(0);
    case 'End':
      return at(line.x.length - 1);
    case '+':
    case '=':
      return { zoom: [here - (here - visible[0]) / 2, here + (visible[1] - here) / 2] };
    case '-':
      return { zoom: [here - (here - visible[0]) * 2, here + (visible[1] - here) * 2] };
    case '0':
      return { zoom: null };
    default:
      return null;
  }
}

function clamp(index: number, line: Line): number {
  return Math.max(0, Math.min(line.x.length - 1, index));
}
