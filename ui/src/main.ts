import './app/styles/tokens.css';
import './app/styles/elements.css';
import './app/styles/tables.css';

import { createPinia } from 'pinia';
import { createApp, watchEffect } from 'vue';

import App from './app/App.vue';
import { pageTitles } from './app/pages';
import { createPages } from './app/router';
import { createMessages } from './i18n';
import { plugins } from './plugins/registry';
import { useAnnotations } from './store/annotations';
import { useJobFacts } from './store/job_facts';
import { useLive } from './store/live';
import { usePreferences } from './store/preferences';
import { useTrainJobs } from './store/train_jobs';

/** Milliseconds that the first picture waits for what it is to show: anew with each answer it would be there later. */
const PATIENCE = 200;

const { i18n, add } = createMessages('en', pageTitles);
const pages = createPages(add);
const app = createApp(App).use(createPinia()).use(pages).use(i18n);

const preferences = usePreferences();
// Before there is anything to see: what is dark must not begin as a white page.
watchEffect(() => {
  document.documentElement.dataset['theme'] = preferences.theme;
});

/** What the first page shows. */
function firstAnswers(): Promise<unknown> {
  const { name } = pages.resolve(pages.options.history.location);
  const { facts = false } = plugins.find((plugin) => plugin.name === name) ?? {};
  return Promise.all([
    useTrainJobs().begin(),
    useAnnotations().refresh(),
    facts ? useJobFacts().begin() : null,
  ]);
}

// While the page's code is on its way the server is asked what there is to show; not before that
// code, as browsers ask a server for six things at a time.
const answered = new Promise<void>((done) => {
  setTimeout(() => {
    void firstAnswers().then(() => {
      done();
    });
    useLive().start();
    setTimeout(done, PATIENCE);
  });
});
// What the URL says of the state is known once the first route is.
void Promise.all([pages.isReady(), answered]).then(() => {
  app.mount('#app');
});
