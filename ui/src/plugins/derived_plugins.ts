import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import { fetchPluginNames } from '@/api/plugins';

import { SHOWN } from './registry';

/** Server plugins without a page. Logs do not list their tags, which may be derived. */
export const useDerivedPlugins = defineStore('derived_plugins', () => {
  const names = shallowRef<readonly string[]>([]);
  let requested = false;

  async function load(): Promise<void> {
    if (requested) return;
    requested = true;
    try {
      names.value = (await fetchPluginNames()).filter((name) => !SHOWN.has(name)).sort();
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      requested = false;
    }
  }

  return { names, load };
});
