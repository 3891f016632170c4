import './app/styles/tokens.css';
import './app/styles/elements.css';
import './app/styles/tables.css';
import './app/styles/print.css';

import { createPinia } from 'pinia';
import { createApp, watchEffect } from 'vue';

import App from './app/App.vue';
import { followMissingCode } from './app/missing_code';
import { pageTitles } from './app/pages';
import { createPages } from './app/router';
import { followPrinting } from './paper/printing';
import { createMessages } from './i18n';
import { plugins } from './plugins/registry';
import { useAnnotations } from './store/annotations';
import { useJobFacts } from './store/job_facts';
import { useLive } from './store/live';
import { usePreferences } from './store/preferences';
import { useSnapshot } from './store/snapshot';
import { useTrainJobs } from './store/train_jobs';

/** Milliseconds to wait for data before the first render: rendering twice takes longer. */
const PATIENCE = 200;

/** Holds the data of a snapshot, or links to them. */
const embedded = document.getElementById('mindviz-snapshot');
const opened = embedded
  ? await (await import('./api/snapshot/open_snapshot')).openSnapshot(embedded)
  : null;
if (opened && location.hash.length < 3) history.replaceState(null, '', opened.facts.view);

const { i18n, add } = createMessages('en', pageTitles);
const pages = createPages(add);
const app = createApp(App).use(createPinia()).use(pages).use(i18n);
useSnapshot().opened = opened;
followMissingCode(app);

const preferences = usePreferences();
// Before the first paint, so a dark page does not flash white.
watchEffect(() => {
  document.documentElement.dataset['theme'] = preferences.theme;
});

followPrinting();

function firstAnswers(): Promise<unknown> {
  const { name, query } = pages.resolve(pages.options.history.location);
  const { facts = 'by' in query } = plugins.find((plugin) => plugin.name === name) ?? {};
  return Promise.all([
    useTrainJobs().begin(),
    useAnnotations().refresh(),
    facts ? useJobFacts().begin() : null,
  ]);
}

// Requests the data while the page's code loads; not earlier, as browsers limit parallel requests
// to six.
const answered = new Promise<void>((done) => {
  setTimeout(() => {
    void firstAnswers().then(() => done());
    useLive().start();
    setTimeout(done, PATIENCE);
  });
});
// The state in the URL is known after the first navigation.
void Promise.all([pages.isReady(), answered]).then(() => app.mount('#app'));
