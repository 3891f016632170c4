import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSSRApp } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { renderToString } from 'vue/server-renderer';

import type { SeverityCounts } from '@/api/findings';
import { createMessages } from '@/i18n';
import { job } from '@/store/jobs_for_tests';

import EventCounts from './EventCounts.vue';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function rendered(events?: SeverityCounts): Promise<string> {
  const pinia = createPinia();
  setActivePinia(pinia);
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/', component: { render: () => null } }],
  });
  const run = { ...job('sweep/a', 1), ...(events && { events }) };
  const app = createSSRApp(EventCounts, { job: run });
  const titles = { page: {}, place: {} };
  const { i18n } = createMessages('en', { en: titles, zh: titles });
  return renderToString(app.use(pinia).use(router).use(i18n));
}

test('errors and warnings are counted apart, in a link to those of the run', async () => {
  const html = await rendered({ severe: 1, warning: 1_200, note: 7 });
  expect(html).toMatch(/<span class="severe badge"[^>]*>1<\/span>/);
  expect(html).toMatch(/<span class="warning badge"[^>]*>1,200<\/span>/);
  expect(html).not.toContain('>7<');
  expect(html).toContain('aria-label="sweep/a: 1 error, 1,200 warnings.');
  expect(html).toMatch(/href="#\/health\?[^"]*run=[^"]*sweep(\/|%2F)a/);
});

test('a run without errors and warnings, or not checked, has no link', async () => {
  expect(await rendered({ severe: 0, warning: 0, note: 7 })).not.toContain('<a');
  expect(await rendered()).not.toContain('<a');
});
