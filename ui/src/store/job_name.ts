import { ref } from 'vue';

const rootName = ref('.');

/** Set the base dir's path: its last part names the run in the base dir itself. */
export function nameRoot(baseDir: string): void {
  rootName.value = baseDir.split('/').findLast(Boolean) ?? '.';
}

/** The displayed name of a run: its train_id without `./`. Reactive. */
export const jobName = (trainId: string): string =>
  trainId === './' ? rootName.value : trainId.replace(/^\.\//, '');
