import './app/styles/tokens.css';
import './app/styles/elements.css';
import './app/styles/tables.css';

import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './app/App.vue';
import { pageTitles } from './app/pages';
import { createPages, loadCommandMessages } from './app/router';
import { createMessages } from './i18n';
import { useAnnotations } from './store/annotations';
import { useLive } from './store/live';

const { i18n, add } = createMessages('en', pageTitles);
const pages = createPages(add);
const app = createApp(App).use(createPinia()).use(pages).use(i18n);
// While the page's code is on its way the server is asked what there is to show; not before that
// code, as browsers ask a server for six things at a time.
setTimeout(() => {
  useLive().start();
  void useAnnotations().refresh();
});
// What the URL says of the state is known once the first route is.
void pages.isReady().then(() => {
  app.mount('#app');
  void loadCommandMessages(add);
});
