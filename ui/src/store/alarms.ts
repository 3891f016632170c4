import { defineStore } from 'pinia';
import { ref, watch } from 'vue';

import { ownValue } from '@/base/own_value';

import { keep, keptJson } from './local_storage';

export interface Alarm {
  readonly below: number | null;
  readonly above: number | null;
}

const NONE: Alarm = { below: null, above: null };

/** Thresholds by tag, stored in the browser. */
export const useAlarms = defineStore('alarms', () => {
  const byTag = ref<Readonly<Record<string, Alarm>>>(keptAlarms());
  watch(byTag, (alarms) =>
    keep('alarms', Object.keys(alarms).length === 0 ? null : JSON.stringify(alarms)),
  );

  const of = (tag: string): Alarm => ownValue(byTag.value, tag) ?? NONE;

  function set(tag: string, alarm: Alarm): void {
    const others = Object.entries(byTag.value).filter(([name]) => name !== tag);
    const none = alarm.below === null && alarm.above === null;
    byTag.value = Object.fromEntries(none ? others : [...others, [tag, alarm]]);
  }

  return { of, set };
});

function keptAlarms(): Record<string, Alarm> {
  const bound = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) ? value : null;
  const stored = keptJson('alarms');
  return Object.fromEntries(
    Object.entries(stored instanceof Object ? stored : {}).map(([tag, one]) => {
      const { below, above } = (one ?? {}) as { below?: unknown; above?: unknown };
      return [tag, { below: bound(below), above: bound(above) }];
    }),
  );
}
