import { createRouter, createWebHashHistory, type Router } from 'vue-router';

import { railPages } from './pages';
import RunsPage from './RunsPage.vue';

export const pages = railPages(RunsPage);

/** Routes of all pages that exist. In the hash: the server knows one page, whatever its prefix. */
export function createPages(): Router {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      ...pages.flatMap(({ name, view }) => (view ? [{ path: `/${name}`, name, component: view }] : [])),
      { path: '/:unknown(.*)*', redirect: (to) => ({ path: '/scalar', query: to.query }) },
    ],
  });
}
