import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test, vi } from 'vitest';

import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { useShareLink } from './share_link';
import { useTrainJobs } from './train_jobs';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(job('a/b c', 2), job('é', 1));
});

test('the newest runs are named: later ones would replace them', () => {
  const link = useShareLink();
  vi.stubGlobal('location', { href: 'http://host/?token=x#/scalar' });
  expect(link()).toBe('http://host/?token=x#/scalar?runs=a/b%20c~%C3%A9');
  vi.stubGlobal('location', { href: 'http://host/#/scalar?smooth=0.5' });
  expect(link()).toBe('http://host/#/scalar?smooth=0.5&runs=a/b%20c~%C3%A9');
});

test('a selection by a rule stays a rule', () => {
  useSelection().selectMatching();
  vi.stubGlobal('location', { href: 'http://host/#/scalar?runs=*' });
  expect(useShareLink()()).toBe('http://host/#/scalar?runs=*');
});
