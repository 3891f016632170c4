export interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** Exports of a page's `messages.ts`. */
export interface PageMessages {
  readonly en: MessageTree;
  readonly zh: MessageTree;
}
