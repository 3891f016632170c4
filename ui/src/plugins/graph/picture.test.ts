import { expect, test } from 'vitest';

import { PAGE_COLORS } from '@/charts/page_colors';

import { svgOf } from './picture';
import type { Scene } from './scene';

test('the shape on a line is readable above it', () => {
  const scene: Scene = {
    ...{ start: 0, width: 100, height: 50, boxes: [], byName: new Map(), lines: [] },
    shapes: [{ x: 10, y: 20, text: '32×10', from: 'a', to: 'b' }],
  };
  const drawn = svgOf(scene, () => ({ fill: '', stroke: '' }), 'light', false);
  const label = /<text [^>]*>32×10/.exec(drawn)?.[0];
  expect(label).toContain('paint-order="stroke"');
  expect(label).toContain(`stroke="${PAGE_COLORS.light.raised}"`);
});
