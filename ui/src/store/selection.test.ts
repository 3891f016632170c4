import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useAnnotations } from './annotations';
import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  setActivePinia(createPinia());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function selectionOf(count: number) {
  const jobs = useTrainJobs();
  jobs.byId = listing(...Array.from({ length: count }, (_, i) => job(`run_${i}`, i)));
  return { jobs, selection: useSelection() };
}

test('the ten last updated jobs are selected, in order of creation', () => {
  const { jobs, selection } = selectionOf(12);
  jobs.byId = listing(
    ...[...jobs.byId.values()].map((one) =>
      one.train_id === './run_0' ? { ...one, update_timestamp: 99 } : one,
    ),
  );
  expect(selection.selected).toHaveLength(10);
  expect(selection.selected[0]).toBe('./run_11');
  expect(selection.selected.at(-1)).toBe('./run_0');
});

test('archived runs are neither selected nor listed until they are shown', () => {
  const { selection } = selectionOf(3);
  useAnnotations().byId = new Map([['./run_1', { hidden: true }]]);
  expect(selection.selected).toEqual(['./run_2', './run_0']);
  expect(selection.matching).toHaveLength(2);
  selection.showArchived = true;
  expect(selection.matching).toHaveLength(3);
});

test('all jobs that match the filter are selected, including later ones', () => {
  const { jobs, selection } = selectionOf(3);
  selection.filter = 'run_[02]';
  selection.selectMatching();
  expect(selection.selected).toEqual(['./run_2', './run_0']);
  jobs.byId = listing(...jobs.byId.values(), job('run_20', 20));
  expect(selection.selected).toEqual(['./run_20', './run_2', './run_0']);
});

test('under a filter, the box that selects all leaves other runs alone', async () => {
  const { selection } = selectionOf(12);
  selection.selectOnly(['./run_3', './run_10']);
  selection.filter = 'run_1';
  expect([selection.someMatch, selection.everyMatch, selection.anyBeyond]).toEqual([
    true,
    false,
    true,
  ]);
  await selection.toggleMatching();
  expect(selection.selected).toEqual(['./run_11', './run_10', './run_3', './run_1']);
  expect(selection.everyMatch).toBe(true);
  await selection.toggleMatching();
  expect(selection.selected).toEqual(['./run_3']);
  expect([selection.someMatch, selection.everyMatch]).toEqual([false, false]);
  // Without others, it selects by the filter: later runs are selected, too.
  selection.selectOnly([]);
  await selection.toggleMatching();
  expect([selection.choice, selection.anyBeyond]).toEqual([
    { kind: 'matching', filter: 'run_1' },
    false,
  ]);
});

test('a selection by filter stays when the filter changes, and still follows later runs', () => {
  const { jobs, selection } = selectionOf(12);
  selection.filter = 'run_1';
  selection.selectMatching();
  expect(selection.selected).toEqual(['./run_11', './run_10', './run_1']);
  const before = selection.selected;
  selection.filter = '';
  expect(selection.matching).toHaveLength(12);
  expect(selection.selected).toBe(before);
  jobs.byId = listing(...jobs.byId.values(), job('run_15', 15), job('run_20', 20));
  expect(selection.selected).toEqual(['./run_15', './run_11', './run_10', './run_1']);
});

test('charts draw selected runs that the eye does not hide', () => {
  const { selection } = selectionOf(3);
  expect(selection.visible).toBe(selection.selected);
  selection.hide(['./run_1', './run_2'], true);
  expect(selection.selected).toHaveLength(3);
  expect(selection.visible).toEqual(['./run_0']);
  expect(selection.drawn).toEqual(['./run_0']);
  expect(selection.hiddenCount).toBe(2);
  selection.hide(['./run_1'], false);
  expect(selection.visible).toEqual(['./run_1', './run_0']);
  selection.showAll();
  expect(selection.visible).toEqual(selection.selected);
});

test('a run selected again is visible, one that stays selected stays hidden', () => {
  const { selection } = selectionOf(3);
  selection.hide(['./run_1', './run_2'], true);
  selection.toggle('./run_1');
  selection.toggle('./run_1');
  expect(selection.visible).toEqual(['./run_1', './run_0']);
});

test('toggling selects by name and ignores missing jobs', () => {
  const { selection } = selectionOf(2);
  selection.toggle('./run_0');
  expect(selection.selected).toEqual(['./run_1']);
  selection.toggle('./run_0');
  selection.selectOnly([...selection.selected, './gone']);
  expect(selection.selected).toEqual(['./run_1', './run_0']);
});

test('equal selections are the same array', () => {
  const { jobs, selection } = selectionOf(2);
  const before = selection.selected;
  jobs.byId = listing(...[...jobs.byId.values()].map((one) => ({ ...one, points: 5 })));
  expect(selection.selected).toBe(before);
});

test('an incomplete query keeps the result of the last complete one', () => {
  const { selection } = selectionOf(3);
  selection.filter = 'name = run_1';
  expect(selection.matching.map((one) => one.train_id)).toEqual(['./run_1']);
  selection.filter = 'name = run_1 and (';
  expect(selection.question.error).not.toBeNull();
  expect(selection.matching.map((one) => one.train_id)).toEqual(['./run_1']);
});

test('an invalid regular expression is searched as plain text', () => {
  const { selection } = selectionOf(2);
  selection.filter = 'run[';
  expect(selection.literal).toBe(true);
  expect(selection.matching).toEqual([]);
});

test('a job keeps its color while others are selected, and an annotated color wins', () => {
  const { selection } = selectionOf(5);
  const color = selection.colorOf('./run_3');
  selection.selectOnly(['./run_3']);
  expect(selection.colorOf('./run_3')).toBe(color);
  useAnnotations().byId = new Map([['./run_3', { colour: '#123456' }]]);
  expect(selection.colorOf('./run_3')).toBe('#123456');
});

test.each([20, 40])('a link of %i runs restores colors that others had before', (count) => {
  const { jobs, selection } = selectionOf(count);
  jobs.complete = true;
  selection.selectOnly(['./run_1', './run_2', './run_3']);
  for (let i = 4; i < count; i++) selection.toggle(`./run_${i}`);
  const colors = selection.selected.map(selection.colorOf);
  expect(new Set(colors).size).toBe(Math.min(20, count - 1));
  const link = selection.ownColors;
  expect(link.size).toBeGreaterThan(0);
  selection.ownColors = new Map();
  expect(selection.selected.map(selection.colorOf)).not.toEqual(colors);
  selection.ownColors = link;
  expect(selection.selected.map(selection.colorOf)).toEqual(colors);
});

test.each([30, 159])(
  'a run keeps its color when %i are selected, and when these are fewer again',
  (n) => {
    const { jobs, selection } = selectionOf(n);
    jobs.complete = true;
    const ten = [...selection.selected];
    const colors = ten.map(selection.colorOf);
    expect(new Set(colors).size).toBe(10);
    selection.selectMatching();
    expect(selection.selected).toHaveLength(n);
    expect(ten.map(selection.colorOf)).toEqual(colors);
    // One more changes no color either.
    const all = selection.selected.map(selection.colorOf);
    jobs.byId = listing(...jobs.byId.values(), job('later', n));
    expect(selection.selected[0]).toBe('./later');
    expect(selection.selected.slice(1).map(selection.colorOf)).toEqual(all);
    selection.selectOnly(ten);
    expect(ten.map(selection.colorOf)).toEqual(colors);
  },
);

test('a link of very many runs holds the colors that came first', () => {
  const { jobs, selection } = selectionOf(159);
  jobs.complete = true;
  const ten = [...selection.selected];
  const colors = ten.map(selection.colorOf);
  selection.selectMatching();
  const link = selection.ownColors;
  expect(link.size).toBe(20);
  selection.ownColors = link;
  expect(ten.map(selection.colorOf)).toEqual(colors);
});

test('charts draw at most a thousand of the selected jobs', () => {
  const { selection } = selectionOf(1_030);
  selection.selectMatching();
  expect(selection.selected).toHaveLength(1_030);
  expect(selection.drawn).toEqual(selection.selected.slice(0, 1_000));
});

test('runs added to a selection by a filter keep the filter', () => {
  const { jobs, selection } = selectionOf(3);
  selection.filter = 'run_[02]';
  selection.selectMatching();
  selection.add(['./run_1']);
  expect(selection.selected).toEqual(['./run_2', './run_1', './run_0']);
  expect(selection.choice.kind).toBe('matching');
  jobs.byId = listing(...jobs.byId.values(), job('run_20', 20));
  expect(selection.selected).toContain('./run_20');
  selection.selectOnly(['./run_0']);
  selection.add(['./run_0', './run_1']);
  expect(selection.selected).toEqual(['./run_1', './run_0']);
});

test('a run that a link shows is drawn first and stays unselected, until it is hidden', () => {
  const { selection } = selectionOf(4);
  selection.selectOnly(['./run_0', './run_1']);
  selection.hide(['./run_0'], true);
  selection.shown = new Set(['./run_3', './run_0', './absent']);
  expect(selection.visible).toEqual(['./run_3', './run_0', './run_1']);
  expect([selection.selected, selection.hiddenCount]).toEqual([['./run_1', './run_0'], 0]);
  // More of a selection leaves it, another selection ends it.
  selection.set(['./run_2'], true);
  expect(selection.visible).toEqual(['./run_3', './run_0', './run_2', './run_1']);
  selection.hide(['./run_3'], true);
  expect(selection.visible).toEqual(['./run_0', './run_2', './run_1']);
  selection.endShown();
  expect([selection.visible, selection.hiddenCount]).toEqual([['./run_2', './run_1'], 1]);
  selection.shown = new Set(['./run_3']);
  selection.selectOnly(['./run_1']);
  expect(selection.visible).toEqual(['./run_1']);
});
