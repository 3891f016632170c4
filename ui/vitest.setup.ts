import { disposePinia, getActivePinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// A test that prints has found something nobody looked at.
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
      said.push(`console.${method}: ${words.map(String).join(' ')}`);
    });
  }
});

// Test files share their globals: a stub that stays, or a store whose timers go on, fails another file.
afterEach(() => {
  const pinia = getActivePinia();
  if (pinia) disposePinia(pinia);
  setActivePinia(undefined);
  vi.unstubAllGlobals();
});

afterEach(() => {
  expect(said).toEqual([]);
});
