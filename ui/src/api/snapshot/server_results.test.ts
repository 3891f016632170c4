import { describe, expect, test } from 'vitest';

import { apiUrl } from '../client';

import { answerKey } from './answer_key';
import { groupPoints, groupStatistics } from './group_statistics';
import { minmax } from './minmax';
import { unpackedWords } from './packed_words';
import results from './server_results_for_tests.json';
import { smoothed } from './smoothing';

const numbers = (values: readonly (number | string)[]): Float64Array =>
  Float64Array.from(values, (value) =>
    typeof value === 'string' ? Number(value.replace('inf', 'Infinity')) : value,
  );
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

describe.each(Object.entries(results.cases))('of %s', (_, series) => {
  const [step, value] = [numbers(series.step), numbers(series.value)];

  test.each(Object.entries(series.kept))(
    'at most %s points are those of the server',
    (most, kept) => {
      expect(minmax(value, Number(most))).toEqual(kept);
    },
  );

  test.each(Object.entries(series.smoothed))('%s is that of the server', (text, wanted) => {
    const found = smoothed(step, value, text);
    numbers(wanted).forEach((one, at) => {
      if (Number.isFinite(one))
        expect(found[at]).toBeCloseTo(one, Math.abs(one) > 1e100 ? -290 : 10);
      else expect(found[at]).toEqual(one);
    });
  });
});

test.each(results.groups)('statistics of groups are those of the server: $question', (group) => {
  const question = group.question as { x: 'step'; max_points: number };
  const members = results.members.slice(0, group.count).map((one) => ({
    step: numbers(one.step),
    wall_time: numbers(one.wall_time),
    value: numbers(one.value),
  }));
  const points = members.map((one) => groupPoints(one, question));
  const found = groupStatistics(points, question.max_points);
  expect(Object.keys(found)).toEqual(Object.keys(group.columns));
  for (const [name, wanted] of Object.entries(group.columns)) {
    const column = found[name as keyof typeof found];
    expect(column, name).toHaveLength(wanted.length);
    numbers(wanted).forEach((one, at) => {
      if (Number.isFinite(one))
        expect((column[at] ?? NaN) / (one || 1), `${name} ${at}`).toBeCloseTo(one ? 1 : 0, 9);
      else expect(column[at], `${name} ${at}`).toEqual(one);
    });
  }
});

test('columns are unpacked to the bit', async () => {
  const stored = new Blob([bytesOf(results.words.packed)]).stream();
  const packed = await new Response(stored.pipeThrough(new DecompressionStream('gzip'))).bytes();
  const bytes = bytesOf(results.words.bytes);
  expect(unpackedWords(packed).subarray(0, bytes.length)).toEqual(bytes);
});

test.each(results.keys)('the key of $path is that of the server', ({ path, body, key }) => {
  const url = new URL(`v1/mindviz/${path}`, 'file:///home/a b/x.html');
  expect(answerKey(url, body === null ? null : JSON.stringify(body))).toBe(key);
});

test('a key does not depend on the order of parameters', () => {
  const first = apiUrl('x', { b: ['2', '1'], a: 1 }, 'http://host/prefix/');
  const second = apiUrl('x', { a: 1, b: ['2', '1'] }, 'file:///x.html');
  expect(answerKey(first, null)).toBe(answerKey(second, null));
});
