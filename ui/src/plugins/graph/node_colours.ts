import type { GraphNode } from '@/api/graphs';
import { PALETTES, stableHash, type Theme } from '@/base/job_colours';

export type ColourBy = 'type' | 'device' | 'time' | 'plain';

const SCOPES = new Set(['name_scope', 'aggregation_scope']);
const DEVICE = /device/i;
const TIME = /(?:duration|elapsed|time)/i;

/** The device that an attribute names; empty if none does. */
export function deviceOf({ attr }: GraphNode): string {
  return Object.entries(attr).find(([name]) => DEVICE.test(name))?.[1] ?? '';
}

/** Microseconds that the node took, as far as a profile tells. */
export function timeOf({ attr }: GraphNode): number {
  const text = Object.entries(attr).find(([name]) => TIME.test(name) && !/start/i.test(name))?.[1] ?? '';
  return Number(/[\d.]+/.exec(text)?.[0] ?? NaN);
}

/** Fill of a node; empty: that of the page. */
export function colourOf(node: GraphNode, by: ColourBy, theme: Theme, slowest: number): string {
  if (by === 'plain' || (SCOPES.has(node.type) && by === 'type')) return '';
  if (by === 'time') {
    const time = timeOf(node);
    return Number.isNaN(time) || slowest <= 0 ? '' : `color-mix(in srgb, var(--bad) ${Math.round((60 * time) / slowest)}%, var(--panel))`;
  }
  const name = by === 'type' ? node.type : deviceOf(node);
  const palette = PALETTES[theme];
  return name === '' ? '' : `color-mix(in srgb, ${palette[stableHash(name) % palette.length] ?? '#888'} 28%, var(--panel))`;
}
