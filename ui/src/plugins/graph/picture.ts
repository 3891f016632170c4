import type { Theme } from '@/base/job_colours';

import { PAPERS, type Tint } from './colours';
import type { Item } from './items';
import { arrow, type Scene } from './scene';

/** All of a graph as it is drawn, as a file of its own. */
export function svgOf(
  scene: Scene,
  tintOf: (item: Item) => Tint,
  theme: Theme,
  apart: boolean,
): string {
  const { panel, line, ink, raised } = PAPERS[theme];
  const lines = scene.lines
    .filter((one) => !(apart && one.apart))
    .map(
      (one) =>
        `<path d="${one.path}" fill="none" stroke="${line}"${one.control ? ' stroke-dasharray="4 3"' : ''}/><path d="${arrow(one)}" fill="${line}"/>`,
    );
  const boxes = scene.boxes.map(({ x, y, width, height, open, item, label }) => {
    const { fill, stroke } = open ? { fill: raised, stroke: line } : tintOf(item);
    const rectangle = `<rect x="${r(x)}" y="${r(y)}" width="${r(width)}" height="${r(height)}" rx="${item.kind === 'operator' ? 14 : 6}" fill="${fill}" stroke="${stroke}"/>`;
    const text = open
      ? `<text x="${r(x + 12)}" y="${r(y + 18)}" fill="${ink}" font-weight="600">${escaped(label)}</text>`
      : `<text x="${r(x + width / 2)}" y="${r(y + 18)}" fill="${ink}" text-anchor="middle">${escaped(label)}</text>`;
    return { open, text: rectangle + text };
  });
  const margin = 20;
  const [width, height] = [
    Math.ceil(scene.width) + 2 * margin,
    Math.ceil(scene.height) + 2 * margin,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-margin} ${-margin} ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect x="${-margin}" y="${-margin}" width="${width}" height="${height}" fill="${panel}"/>`,
    ...boxes.filter(({ open }) => open).map(({ text }) => text),
    ...lines,
    ...boxes.filter(({ open }) => !open).map(({ text }) => text),
    '</svg>',
  ].join('\n');
}

function r(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- XML cannot hold control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}
