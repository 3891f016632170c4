import type { Component } from 'vue';
import {
  createRouter,
  createWebHashHistory,
  type RouteLocation,
  type RouteLocationRaw,
  type Router,
} from 'vue-router';

import type { AddMessages } from '@/i18n';
import type { Plugin } from '@/plugins/plugin';
import { HOME, plugins } from '@/plugins/registry';
import { useSavedViews } from '@/store/saved_views';

import { codeMissing } from './missing_code';
import { missingPage, pageNamed } from './page_named';
import PageFailed from './PageFailed.vue';

/** Where a path of an earlier version leads. */
function moved({ path, query }: RouteLocation): RouteLocationRaw | undefined {
  for (const { name, formerly } of plugins) {
    const meaning = formerly?.[path.slice(1)]?.(query);
    if (meaning) return { path: `/${name}`, query: meaning };
  }
  return undefined;
}

/** Where a misspelled path leads, or one of another tool. */
function named({ path, query }: RouteLocation): RouteLocationRaw {
  const page = pageNamed(path);
  missingPage.value = page ? null : path.slice(1);
  return { path: page ? `/${page.name}` : HOME, query };
}

/** Routes of all pages, in the URL's hash: the server knows one page, at any prefix. */
export function createPages(addMessages: AddMessages): Router {
  let messages: Promise<void> | undefined;

  async function load(plugin: Plugin): Promise<Component> {
    messages ??= import('@/plugins/messages').then((pages) => addMessages(pages.messages));
    try {
      const [view] = await Promise.all([plugin.view(), messages]);
      return view.default;
    } catch {
      messages = undefined; // a transient failure: the next page tries again
      // Instead of the note about missing code.
      codeMissing.value = false;
      return PageFailed;
    }
  }

  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      ...plugins.map((plugin) => ({
        path: `/${plugin.name}`,
        name: plugin.name,
        component: () => load(plugin),
        beforeEnter: (to: RouteLocation) => moved(to) ?? true,
      })),
      {
        path: '/',
        component: PageFailed,
        beforeEnter: async ({ query }: RouteLocation) =>
          Object.keys(query).length > 0
            ? { path: HOME, query }
            : ((await useSavedViews().beginWithDefault()) ?? HOME),
      },
      {
        path: '/view/:key(.*)',
        component: PageFailed,
        beforeEnter: async ({ params }: RouteLocation) =>
          (await useSavedViews().beginWith(String(params['key']))) ?? HOME,
      },
      {
        path: '/:unknown(.*)*',
        redirect: (to) => moved(to) ?? named(to),
      },
    ],
  });
  router.afterEach((to, from) => {
    if (to.path !== from.path && !to.redirectedFrom) missingPage.value = null;
  });
  return router;
}
