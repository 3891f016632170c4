import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { drawNever, drawSoon } from './frame_queue';

let frames: (() => void)[] = [];

/** Run one animation frame. */
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

test('draws nothing before the frame, then all quick tasks in one frame, in order', async () => {
  const drawn: string[] = [];
  for (const name of ['a', 'b', 'c']) drawSoon({}, () => drawn.push(name));
  expect(drawn).toEqual([]);
  await frame();
  expect(drawn).toEqual(['a', 'b', 'c']);
  expect(frames).toEqual([]);
});

test('continues in the next frame after its time is used up', async () => {
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

test('draws only the latest task of an owner', async () => {
  const drawn: number[] = [];
  const owner = {};
  for (const i of [1, 2, 3]) drawSoon(owner, () => drawn.push(i));
  await frame();
  expect(drawn).toEqual([3]);
});

test('does not draw canceled tasks', async () => {
  const drawn: string[] = [];
  const owner = {};
  drawSoon(owner, () => drawn.push('gone'));
  drawNever(owner);
  await frame();
  expect(drawn).toEqual([]);
});

test('draws tasks added during a frame', async () => {
  const drawn: string[] = [];
  drawSoon({}, () => {
    drawSoon({}, () => drawn.push('later'));
  });
  await frame();
  await frame();
  expect(drawn).toEqual(['later']);
});

test('reports a failed task and draws the others', async () => {
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
