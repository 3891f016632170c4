import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { FactTable } from './fact_table';
import { useJobFacts } from './job_facts';
import { useJobFields } from './job_fields';
import { job, listing } from './jobs_for_tests';
import { useTrainJobs } from './train_jobs';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(job('a', 1), job('b', 2));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function withFacts(columns: Readonly<Record<string, (number | string | null)[]>>) {
  useJobFacts().table = new FactTable({ train_id: ['./a', './b'], columns });
  const fields = useJobFields();
  const valuesOf = (word: string) =>
    [...useTrainJobs().byId.values()].map((one) => fields.getter(word)(one));
  return { fields, valuesOf };
}

test('config is named as logged, and any spelling filters by it', () => {
  const { fields, valuesOf } = withFacts({
    learning_rate: [0.1, 0.2],
    network: ['mlp', 'cnn'],
    'user_defined/lr': [0.1, 0.2],
    'user_defined/model': ['mlp', 'cnn'],
  });
  expect(fields.parameters.names).toEqual(['user_defined/lr', 'user_defined/model']);
  expect(fields.names).toContain('lr');
  expect(fields.names).not.toContain('learning_rate');
  for (const word of ['lr', 'learning_rate', 'user_defined/lr', 'Learning Rate'])
    expect([word, fields.resolve(word), valuesOf(word)]).toEqual([
      word,
      'user_defined/lr',
      [0.1, 0.2],
    ]);
  expect(fields.begins('learning_r')).toBe(true);
  expect(fields.isKnown('network')).toBe(true);
});

test('a field of several frameworks is called what most runs logged', () => {
  useTrainJobs().byId = listing(job('a', 1), job('b', 2), job('c', 3));
  useJobFacts().table = new FactTable({
    train_id: ['./a', './b', './c'],
    columns: {
      learning_rate: [0.3, 0.1, 0.2],
      'user_defined/lr': [0.3, 0.1, null],
    },
  });
  const fields = useJobFields();
  expect(fields.parameters.names).toEqual(['learning_rate']);
  expect([fields.short('learning_rate'), fields.resolve('lr')]).toEqual(['lr', 'learning_rate']);
  expect(fields.names).toContain('lr');
  expect(fields.names).not.toContain('learning_rate');
});

test('parameters are called what was logged, also if a field of notes has the name', () => {
  const { fields } = withFacts({
    'user_defined/group': [1, 2],
    'user_defined/acc': [1, 2],
    'metric/acc': [0.1, 0.2],
  });
  const title = (name: string): string[] => [fields.titleOf(name), fields.short(name)];
  expect(title('user_defined/group')).toEqual(['group', 'user_defined/group']);
  expect(title('user_defined/acc')).toEqual(['user_defined/acc', 'user_defined/acc']);
  expect(title('metric/acc')).toEqual(['acc', 'acc']);
});

test("fields of MindSpore's lineage keep their names, and also have the values of other runs", () => {
  const { fields, valuesOf } = withFacts({
    learning_rate: [0.3, 0.1],
    'user_defined/lr': [null, 0.1],
  });
  expect(fields.parameters.names).toEqual(['learning_rate']);
  expect([valuesOf('lr'), valuesOf('learning_rate')]).toEqual([
    [0.3, 0.1],
    [0.3, 0.1],
  ]);
});

test('a name with different values is read first, then the field', () => {
  const { valuesOf } = withFacts({
    learning_rate: [0.3, 0.1],
    'user_defined/lr': [null, 0.2],
  });
  expect(valuesOf('lr')).toEqual([0.3, 0.2]);
  expect(valuesOf('user_defined/lr')).toEqual([null, 0.2]);
  expect(valuesOf('learning_rate')).toEqual([0.3, 0.1]);
});
