import type { Path } from './strokes';

/** An SVG element as text. Attributes of null are left out, numbers are rounded. */
export function svg(
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  ...content: readonly string[]
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(
      ([key, value]) =>
        ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : svgText(value ?? '')}"`,
    )
    .join('');
  return content.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${content.join('')}</${name}>`;
}

export const tenth = (value: number): string => String(Math.round(value * 10) / 10);

export function svgPath(trace: (path: Path) => void): string {
  const steps: string[] = [];
  const step = (kind: string) => (left: number, top: number) =>
    steps.push(`${kind}${tenth(left)} ${tenth(top)}`);
  trace({ moveTo: step('M'), lineTo: step('L') });
  return steps.join('');
}

/** Escape text for SVG. Control characters are dropped: XML cannot hold them. */
export function svgText(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- that is what is dropped
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
  );
}

export const svgDocument = (
  {
    left = 0,
    top = 0,
    width,
    height,
  }: { left?: number; top?: number; width: number; height: number },
  background: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[],
): string =>
  svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: [left, top, width, height].join(' '),
      'font-family': 'system-ui, sans-serif',
      ...attributes,
    },
    [svg('rect', { x: left, y: top, width, height, fill: background }), ...content].join('\n'),
  );
