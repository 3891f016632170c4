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

afterEach(() => {
  expect(said).toEqual([]);
});
