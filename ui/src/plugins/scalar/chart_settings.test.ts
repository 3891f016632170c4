import { expect, test } from 'vitest';

import { readSettings, USUAL, writeSettings, type ChartSettings } from './chart_settings';

test('settings are written and read back', () => {
  const settings: ChartSettings = {
    xAxis: 'wall',
    logY: false,
    smoothing: { smoothingKind: 'twema', smoothing: 0.6 },
    low: -0.5,
    high: 1e-5,
  };
  expect(writeSettings(settings)).toBe('x=wall,y=linear,s=twema:0.6,low=-0.5,high=0.00001');
  expect(readSettings(writeSettings(settings))).toEqual(settings);
});

test('settings as on the page are nothing', () => {
  expect(writeSettings(USUAL)).toBe('');
  expect(readSettings('')).toEqual(USUAL);
});

test('a chart can be without smoothing', () => {
  const none = { ...USUAL, smoothing: { smoothingKind: 'twema', smoothing: 0 } as const };
  expect(readSettings(writeSettings(none))).toEqual(none);
});

test('what cannot be read is as on the page', () => {
  expect(readSettings('x=sideways,y=,low=NaN,high=,more')).toEqual(USUAL);
});
