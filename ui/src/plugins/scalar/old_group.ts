import type { UrlPart } from '@/store/url_state';

/** The grouping as links of earlier versions have it, of this page alone. */
export const oldGroup = (order: { by: readonly string[] }): UrlPart => ({
  write: () => ({ group: undefined }),
  read: ({ group }) => {
    if (group !== undefined) order.by = group === '' ? [] : [group];
  },
});
