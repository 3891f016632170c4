import './app/styles/tokens.css';
import './app/styles/elements.css';

import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './app/App.vue';
import { createPages } from './app/router';
import { createMessages } from './i18n';

const pages = createPages();
const app = createApp(App).use(createPinia()).use(pages).use(createMessages('en'));
// What the URL says of the state is known once the first route is.
void pages.isReady().then(() => app.mount('#app'));
