import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { drawNever, drawSoon } from './frame_queue';

let frames: (() => void)[] = [];

/** What the browser does sixty times in a second. */
async function frame(): Promise<void> {
  const now = frames;
  frames = [];
  for (const one of now) one();
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

let clock = 0;

beforeEach(() => {
  frames = [];
  clock = 0;
  vi.stubGlobal('requestAnimationFrame', (one: () => void) => frames.push(one));
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('nothing is drawn before the frame, all that is quick in one, in order', async () => {
  const drawn: string[] = [];
  for (const name of ['a', 'b', 'c']) drawSoon({}, () => drawn.push(name));
  expect(drawn).toEqual([]);
  await frame();
  expect(drawn).toEqual(['a', 'b', 'c']);
  expect(frames).toEqual([]);
});

test('a frame ends when it has taken long enough, the rest is drawn in the next', async () => {
  const drawn: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    drawSoon({}, () => {
      clock += 5;
      drawn.push(name);
    });
  await frame();
  expect(drawn).toEqual(['a', 'b']);
  await frame();
  await frame();
  expect(drawn).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('of what one owner wants drawn the last is, once', async () => {
  const drawn: number[] = [];
  const owner = {};
  for (const i of [1, 2, 3]) drawSoon(owner, () => drawn.push(i));
  await frame();
  expect(drawn).toEqual([3]);
});

test('what is gone is not drawn', async () => {
  const drawn: string[] = [];
  const owner = {};
  drawSoon(owner, () => drawn.push('gone'));
  drawNever(owner);
  await frame();
  expect(drawn).toEqual([]);
});

test('what is asked for while a frame is drawn is drawn, too', async () => {
  const drawn: string[] = [];
  drawSoon({}, () => {
    drawSoon({}, () => drawn.push('later'));
  });
  await frame();
  await frame();
  expect(drawn).toEqual(['later']);
});

test('what cannot be drawn is told, and keeps nothing else from being drawn', async () => {
  const told: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => told.push(error));
  const drawn: string[] = [];
  const fault = new Error('no picture');
  drawSoon({}, () => {
    throw fault;
  });
  drawSoon({}, () => drawn.push('next'));
  await frame();
  drawSoon({}, () => drawn.push('later'));
  await frame();
  expect([told, drawn]).toEqual([[fault], ['next', 'later']]);
});
