import { expect, test } from 'vitest';

import { formatClipTime, formatRate } from './clip_units';

test('times of clips have minutes and seconds, and tenths if any', () => {
  expect([0, 0.5, 1, 9.96, 59.97, 65.25, 3600].map(formatClipTime)).toEqual([
    '0:00',
    '0:00.5',
    '0:01',
    '0:10',
    '1:00',
    '1:05.3',
    '60:00',
  ]);
  expect([NaN, -1, Infinity].map(formatClipTime)).toEqual(['–', '–', '–']);
});

test('rates are in kilohertz', () => {
  expect([500, 8000, 22_050, 44_100, 11_025].map(formatRate)).toEqual([
    '500 Hz',
    '8 kHz',
    '22.05 kHz',
    '44.1 kHz',
    '11.025 kHz',
  ]);
});
