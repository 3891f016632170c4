import type { Theme } from '@/base/job_colors';
import { PAGE_COLORS } from '@/charts/page_colors';
import { svg, svgDocument, svgText } from '@/charts/svg';

import type { Tint } from './colors';
import type { Item } from './items';
import { arrow, type Box, type Scene } from './scene';

const MARGIN = 20;

export function svgOf(
  scene: Scene,
  tintOf: (item: Item) => Tint,
  theme: Theme,
  apart: boolean,
): string {
  const { panel, fieldLine, ink, raised, dim } = PAGE_COLORS[theme];
  const lines = scene.lines
    .filter((one) => !(apart && one.apart))
    .flatMap((one) => [
      svg('path', {
        d: one.path,
        fill: 'none',
        stroke: fieldLine,
        'stroke-dasharray': one.control ? '4 3' : null,
      }),
      svg('path', { d: arrow(one), fill: fieldLine }),
    ]);
  const drawn = ({ x, y, width, height, open, item, label }: Box): string[] => {
    const { fill, stroke } = open ? { fill: raised, stroke: fieldLine } : tintOf(item);
    const text = open
      ? { x: x + 12, 'font-weight': 600 }
      : { x: x + width / 2, 'text-anchor': 'middle' };
    return [
      svg('rect', { x, y, width, height, rx: item.kind === 'operator' ? 14 : 6, fill, stroke }),
      svg('text', { y: y + 18, fill: ink, ...text }, svgText(label)),
    ];
  };
  const shapes = scene.shapes.map(({ x, y, text }) =>
    svg(
      'text',
      {
        ...{ x, y: y + 3, fill: dim, 'text-anchor': 'middle', 'font-size': 10 },
        // The line ends beside the label.
        ...{ stroke: raised, 'stroke-width': 4, 'paint-order': 'stroke' },
      },
      svgText(text),
    ),
  );
  return svgDocument(
    {
      left: -MARGIN,
      top: -MARGIN,
      width: Math.ceil(scene.width) + 2 * MARGIN,
      height: Math.ceil(scene.height) + 2 * MARGIN,
    },
    panel,
    { 'font-size': 12 },
    [
      ...scene.boxes.filter(({ open }) => open).flatMap(drawn),
      ...lines,
      ...shapes,
      ...scene.boxes.filter(({ open }) => !open).flatMap(drawn),
    ],
  );
}

/** Pixels of a side and in total that all browsers can paint. */
const MOST_SIDE = 16_000;
const MOST_PIXELS = 120_000_000;

/** An SVG painted at twice its size, or as large as browsers can. */
export async function paintedSvg(text: string): Promise<HTMLCanvasElement | null> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(
      2,
      MOST_SIDE / Math.max(width, height),
      Math.sqrt(MOST_PIXELS / (width * height)),
    );
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context && canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
