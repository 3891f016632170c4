import { expect, test } from 'vitest';

import type { ChartFrame, Line } from './line';
import { csvOf, linePicture, lineTable } from './line_picture';
import { PAGE_COLORS } from './page_colors';

const line: Line = {
  id: 'a',
  label: 'a <b> & "c"',
  color: '#123456',
  dash: [7, 3],
  x: Float64Array.of(0, 1, 2),
  y: Float64Array.of(1, NaN, 3),
  raw: null,
  step: Float64Array.of(0, 1, 2),
  wallTime: Float64Array.of(5, 6, NaN),
  origin: 5,
  band: null,
  marks: [],
};
const frame: ChartFrame = { xAxis: 'step', logX: false, logY: false, zoom: null };
const colors = PAGE_COLORS.light;
const texts = { title: 'loss', note: '', x: 'Step' };

test('a picture has title, axes, lines and legend, and escapes names', () => {
  const svg = linePicture(texts, [line], frame, colors);
  expect(svg).toContain('>loss</text>');
  expect(svg).toContain('stroke="#123456"');
  expect(svg).toContain('stroke-dasharray="7 3"');
  expect(svg).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
  expect(svg).not.toContain('NaN');
});

test('a picture names its x axis and how its lines were computed', () => {
  const noted = { ...texts, note: 'Smoothing: EMA 0.6', x: 'Relative' };
  const svg = linePicture(noted, [line], frame, colors);
  expect(svg).toContain('>Smoothing: EMA 0.6</text>');
  expect(svg).toContain('>Relative</text>');
  const height = (text: string): number => Number(/ height="(\d+)"/.exec(text)?.[1]);
  expect(height(svg)).toBe(height(linePicture(texts, [line], frame, colors)) + 18);
});

test('a table has every drawn point, quotes cells if necessary and writes non-finite values like exports', () => {
  expect(csvOf(lineTable([line]))).toBe(
    '"a <b> & ""c""",0,0,5,1,,,,\r\n"a <b> & ""c""",1,1,6,nan,,,,\r\n"a <b> & ""c""",2,2,,3,,,,\r\n',
  );
  const group = { ...line, y: Float64Array.of(Infinity, -Infinity, 0), count: [3, 2, 1] };
  expect(lineTable([group]).map((row) => [row[4], row[8]])).toEqual([
    ['inf', '3'],
    ['-inf', '2'],
    ['0', '1'],
  ]);
});

test('a table runs no formulas in a spreadsheet, and its numbers stay numbers', () => {
  const texts = ['=1+1', '+a', '-a', '@SUM(A1)', '\t=1', '\r=1', '=a,"b"', '＝1'];
  expect(csvOf([texts])).toBe(`'=1+1,'+a,'-a,'@SUM(A1),'\t=1,"'\r=1","'=a,""b""",'＝1\r\n`);
  const numbers = ['-0.5', '+1', '-1e-3', '-inf', '-.5', '', 'a=1'];
  expect(csvOf([numbers])).toBe(`${numbers.join(',')}\r\n`);
});

test('a picture includes single points, axis marks and thresholds like the page', () => {
  const marks = [
    { x: 1, kind: 'nan' as const, label: 'NaN from step 1' },
    { x: 9, kind: 'restart' as const, label: 'beyond' },
  ];
  const svg = linePicture(texts, [{ ...line, marks }], { ...frame, levels: [2] }, colors);
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect(svg).toContain('NaN from step 1</title>');
  expect(svg).not.toContain('beyond');
  expect(svg).toContain('stroke="#c22f2f"');
});

test('on a logarithmic axis a band that reaches below zero extends to the bottom', () => {
  const band = {
    x: Float64Array.of(0, 1, 2),
    low: Float64Array.of(-1, 0, 1),
    high: Float64Array.of(1, 2, 3),
  };
  const svg = linePicture(
    texts,
    [{ ...line, y: Float64Array.of(1, 1, 3), band }],
    { ...frame, logY: true },
    colors,
  );
  const [, path = ''] = /<path d="([^"]*)" fill="#123456" opacity/.exec(svg) ?? [];
  expect(path.split(/[ML]/).filter(Boolean)).toHaveLength(6);
});
