import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from '@playwright/test';

import { browser } from './browser';

export default defineConfig({
  testDir: fileURLToPath(new URL('../tests/e2e', import.meta.url)),
  outputDir: fileURLToPath(new URL('../tests/e2e/results', import.meta.url)),
  reporter: [['list']],
  // A worker takes one spec file after the other: fixtures with many logs are made once per file.
  workers: Math.min(4, availableParallelism()),
  // Only a hang takes as long, on a busy machine too.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A test that fails once is listed as flaky; one that fails twice fails the run.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  use: {
    viewport: { width: 1440, height: 860 },
    locale: 'en-US',
    colorScheme: 'light',
    // A trace takes a picture of every frame. To get one: npm run e2e -- --trace retain-on-failure
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
