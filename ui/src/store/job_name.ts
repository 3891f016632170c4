import { ref } from 'vue';

const rootName = ref('.');

/** Sets the path of the base dir: a run in the base dir itself has the directory's name. */
export function nameRoot(baseDir: string): void {
  rootName.value = baseDir.split('/').findLast(Boolean) ?? '.';
}

/** The displayed name of a run: its train_id without the leading `./`. Reactive. */
export function jobName(trainId: string): string {
  return trainId === './' ? rootName.value : trainId.replace(/^\.\//, '');
}
