import './app/styles/tokens.css';
import './app/styles/elements.css';

import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './app/App.vue';
import { createPages } from './app/router';
import { createMessages } from './i18n';

createApp(App).use(createPinia()).use(createPages()).use(createMessages('en')).mount('#app');
