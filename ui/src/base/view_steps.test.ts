import { expect, test } from 'vitest';

import { ViewSteps, type View } from './view_steps';

const view = (path: string, query: Record<string, string> = {}): View => ({ path, query });

test('steps are undone and redone across pages', () => {
  const steps = new ViewSteps();
  const views = [
    view('/scalar'),
    view('/scalar', { log: 'y' }),
    view('/runs'),
    view('/runs', { sort: 'a' }),
  ];
  views.forEach((one, i) => {
    steps.record(one, i * 5_000);
  });
  expect([steps.undo(), steps.undo(), steps.undo(), steps.undo()]).toEqual([
    views[2],
    views[1],
    views[0],
    null,
  ]);
  expect(steps.canUndo).toBe(false);
  expect([steps.redo(), steps.redo(), steps.redo(), steps.redo()]).toEqual([
    views[1],
    views[2],
    views[3],
    null,
  ]);
});

test('a change after an undo replaces the undone steps', () => {
  const steps = new ViewSteps();
  [view('/a'), view('/a', { x: '1' })].forEach((one, i) => {
    steps.record(one, i * 5_000);
  });
  steps.undo();
  steps.record(view('/a', { y: '2' }), 20_000);
  expect(steps.canRedo).toBe(false);
  expect(steps.undo()).toEqual(view('/a'));
});

test('typing or dragging is one step, unless it pauses or changes its target', () => {
  const steps = new ViewSteps();
  steps.record(view('/a'), 0);
  steps.record(view('/a', { tags: 'l' }), 5_000);
  steps.record(view('/a', { tags: 'lo' }), 5_200);
  steps.record(view('/a', { tags: 'los' }), 5_900);
  steps.record(view('/a', { tags: 'los', log: 'y' }), 6_000);
  steps.record(view('/a', { tags: 'los' }), 9_000);
  expect([steps.undo(), steps.undo(), steps.undo(), steps.undo()]).toEqual([
    view('/a', { tags: 'los', log: 'y' }),
    view('/a', { tags: 'los' }),
    view('/a'),
    null,
  ]);
});

test('switching on and off makes two steps, or none if done at once', () => {
  const steps = new ViewSteps();
  steps.record(view('/a'), 0);
  steps.record(view('/a', { log: 'y' }), 5_000);
  steps.record(view('/a'), 5_300);
  expect([steps.canUndo, steps.canRedo]).toEqual([false, false]);
  steps.record(view('/a', { log: 'y' }), 9_000);
  steps.record(view('/a'), 15_000);
  expect(steps.undo()).toEqual(view('/a', { log: 'y' }));
});

test('changes by two clicks in quick succession are two steps', () => {
  const steps = new ViewSteps();
  const views = ['', 'a', 'a~b', '', 'c'].map((hide) => view('/a', hide ? { hide } : {}));
  views.forEach((one, i) => {
    steps.settle();
    steps.record(one, i * 100);
  });
  expect([steps.undo(), steps.undo(), steps.undo()]).toEqual([views[3], views[2], views[1]]);
});

test('Back and Forward of the browser undo and redo', () => {
  const steps = new ViewSteps();
  const views = [view('/a'), view('/a', { zoom: '1..2' }), view('/b')];
  views.forEach((one, i) => {
    steps.record(one, i * 5_000);
  });
  steps.record(view('/a', { zoom: '1..2' }), 60_000, 'move');
  expect([steps.canUndo, steps.canRedo]).toEqual([true, true]);
  expect(steps.redo()).toEqual(view('/b'));
});

test('automatic changes are not steps', () => {
  const steps = new ViewSteps();
  steps.record(view('/a'), 0);
  steps.record(view('/b'), 5_000);
  steps.record(view('/b', { sort: 'x' }), 5_010, 'page');
  expect(steps.undo()).toEqual(view('/a'));
  expect(steps.redo()).toEqual(view('/b', { sort: 'x' }));
});

test('drops the oldest of very many steps', () => {
  const steps = new ViewSteps();
  for (let i = 0; i < 500; i++) steps.record(view('/a', { step: String(i) }), i * 5_000);
  let undone = 0;
  while (steps.undo()) undone++;
  expect(undone).toBe(199);
});
