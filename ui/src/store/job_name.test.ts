import { beforeEach, expect, test } from 'vitest';
import { computed } from 'vue';

import { jobName, nameRoot } from './job_name';

// Files of tests share the modules, and others name the base dir.
beforeEach(() => {
  nameRoot('');
});

test('job names are derived from train ids', () => {
  expect(['./a/b', './', './.hidden'].map(jobName)).toEqual(['a/b', '.', '.hidden']);
});

test('a run in the base dir is named after the directory', () => {
  const name = computed(() => jobName('./'));
  expect(name.value).toBe('.');
  nameRoot('/logs/resnet 50/');
  expect([name.value, jobName('./a')]).toEqual(['resnet 50', 'a']);
  for (const unnamed of ['/', '']) {
    nameRoot(unnamed);
    expect(name.value).toBe('.');
  }
});
