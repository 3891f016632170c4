import type { Component } from 'vue';
import { createRouter, createWebHashHistory, type Router } from 'vue-router';

import type { AddMessages } from '@/i18n';
import type { Plugin } from '@/plugins/plugin';
import { loadMessages, plugins } from '@/plugins/registry';

import PageFailed from './PageFailed.vue';

/** Routes of all pages that exist. In the hash: the server knows one page, whatever its prefix. */
export function createPages(addMessages: AddMessages): Router {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      ...plugins.map((plugin) => ({
        path: `/${plugin.name}`,
        name: plugin.name,
        component: () => load(plugin, addMessages),
      })),
      { path: '/:unknown(.*)*', redirect: (to) => ({ path: '/runs', query: to.query }) },
    ],
  });
}

async function load(plugin: Plugin, addMessages: AddMessages): Promise<Component> {
  try {
    const names = [plugin.name, ...(plugin.borrows ?? [])];
    const [view, ...messages] = await Promise.all([plugin.view(), ...names.map(loadMessages)]);
    messages.forEach((some, i) => {
      if (some) addMessages(names[i] ?? '', some);
    });
    return view.default;
  } catch {
    // The server was updated, and what this page was built of is gone.
    return PageFailed;
  }
}

/** Messages of the pages that offer commands: the command field has them before one goes there. */
export async function loadCommandMessages(addMessages: AddMessages): Promise<void> {
  for (const plugin of plugins) {
    if (!plugin.commands) continue;
    const messages = await loadMessages(plugin.name).catch(() => null);
    if (messages) addMessages(plugin.name, messages);
  }
}
