import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import { fetchPluginNames } from '@/api/plugins';

import { withoutPage } from './unshown';

/** Plugins of the server without a page. Their tags may be derived: no log lists them. */
export const useDerivedPlugins = defineStore('derived_plugins', () => {
  const names = shallowRef<readonly string[]>([]);
  const asked = ref(false);

  /** Ask the server, once. */
  async function load(shown: ReadonlySet<string>): Promise<void> {
    if (asked.value) return;
    asked.value = true;
    try {
      names.value = withoutPage(await fetchPluginNames(), shown);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      asked.value = false;
    }
  }

  return { names, load };
});
