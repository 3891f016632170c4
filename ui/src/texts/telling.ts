import { shallowRef } from 'vue';

/** Where the end of a run's name begins that tells it from similar names; others are missing. */
export const telling = shallowRef<ReadonlyMap<string, number>>(new Map());
