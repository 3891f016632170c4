import type { Component } from 'vue';
import { createRouter, createWebHashHistory, type RouteLocation, type Router } from 'vue-router';

import type { AddMessages } from '@/i18n';
import type { Plugin } from '@/plugins/plugin';
import { HOME, plugins } from '@/plugins/registry';

import PageFailed from './PageFailed.vue';

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
      // The server was updated and no longer has the files of this version.
      return PageFailed;
    }
  }

  return createRouter({
    history: createWebHashHistory(),
    routes: [
      ...plugins.map((plugin) => ({
        path: `/${plugin.name}`,
        name: plugin.name,
        component: () => load(plugin),
      })),
      ...plugins.flatMap(({ name, formerly = {} }) =>
        Object.entries(formerly).map(([path, meaning]) => ({
          path: `/${path}`,
          redirect: ({ query }: RouteLocation) => ({ path: `/${name}`, query: meaning(query) }),
        })),
      ),
      { path: '/:unknown(.*)*', redirect: (to) => ({ path: HOME, query: to.query }) },
    ],
  });
}
