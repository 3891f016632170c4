import { useI18n } from 'vue-i18n';

import { formatStep } from '@/base/format';
import type { Anomaly } from '@/store/rule_events';

/** Events as marks of lines. */
export function useEventLabels(): (event: Anomaly) => { step: number; readonly label: string } {
  const i18n = useI18n();
  return ({ rule, kind, step }) => ({
    step,
    // Few of many labels are read.
    get label() {
      const text = `scalar.events.${kind}`;
      return i18n.t('scalar.event', {
        rule: rule === kind && i18n.te(text) ? i18n.t(text) : rule,
        step: formatStep(step),
      });
    },
  });
}
