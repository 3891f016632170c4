import type { en } from './en';

/** The shape all languages share: a message missing in one does not compile. */
export type Messages = typeof en;
