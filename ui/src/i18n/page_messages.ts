/** Messages, in trees as deep as one likes. */
export interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** What a page's `messages.ts` exports: both languages, of one shape. */
export interface PageMessages {
  readonly en: MessageTree;
  readonly zh: MessageTree;
}
