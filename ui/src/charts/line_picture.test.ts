import { expect, test } from 'vitest';

import type { ChartFrame, Line } from './line';
import { csvOf, linePicture, lineTable } from './line_picture';

const line: Line = {
  id: 'a', label: 'a <b> & "c"', colour: '#123456', dash: [7, 3], x: Float64Array.of(0, 1, 2), y: Float64Array.of(1, NaN, 3),
  raw: null, step: Float64Array.of(0, 1, 2), wallTime: Float64Array.of(5, 6, NaN), origin: 5, band: null, marks: [],
};
const frame: ChartFrame = { xAxis: 'step', logX: false, logY: false, zoom: null };
const colours = { panel: '#fff', ink: '#000', dim: '#666', grid: '#eee' };

test('a picture has title, axes, lines and legend, and names stay text', () => {
  const svg = linePicture('loss', [line], frame, colours);
  expect(svg).toContain('>loss</text>');
  expect(svg).toContain('stroke="#123456"');
  expect(svg).toContain('stroke-dasharray="7 3"');
  expect(svg).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
  expect(svg).not.toContain('NaN');
});

test('a table has every point that is drawn, quoted where need be', () => {
  expect(csvOf(lineTable([line]))).toBe('"a <b> & ""c""",0,0,5,1,,,\r\n"a <b> & ""c""",1,1,6,,,,\r\n"a <b> & ""c""",2,2,,3,,,\r\n');
});
