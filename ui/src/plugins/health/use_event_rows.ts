import { useI18n } from 'vue-i18n';

import { useFindingWords } from '@/jobs/finding_words';
import { useViewWith } from '@/store/view_with';

import type { HealthEvent } from './api';
import { rowOf, type EventRow } from './event_rows';

/** Events as rows, and names of their kinds, in the page's language. */
export function useEventRows(): {
  labelOf: (kind: string) => string;
  rowFor: (event: HealthEvent) => EventRow;
} {
  const i18n = useI18n();
  const { t } = i18n;
  const viewWith = useViewWith();
  const { kindOf, detailOf } = useFindingWords();

  function labelOf(kind: string): string {
    const key = `health.kinds.${kind}`;
    return i18n.te(key) ? t(key) : kindOf({ kind });
  }

  const rowFor = (event: HealthEvent): EventRow =>
    rowOf('path' in event ? { ...event, detail: detailOf(event) } : event, {
      t: (key, values, plural) => (plural === undefined ? t(key, values) : t(key, values, plural)),
      te: (key) => i18n.te(key),
      tagName: (tag) => tag || t('card.untagged'),
      viewWith,
    });

  return { labelOf, rowFor };
}
