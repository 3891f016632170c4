import { useI18n } from 'vue-i18n';

import type { Finding } from '@/api/status';
import type { TrainJob } from '@/api/train_jobs';
import { formatWhole } from '@/base/format';

import { messageFor } from './server_texts';

/** Localized findings; unknown kinds keep their name. */
export function useFindingWords() {
  const i18n = useI18n();
  const { t } = i18n;

  function kindOf(finding: Pick<Finding, 'kind'>): string {
    const key = `findings.kind.${finding.kind}`;
    return i18n.te(key) ? t(key) : finding.kind.replaceAll('_', ' ');
  }

  function badgeOf({ problems, problem_count: n }: TrainJob): string {
    const first = problems[0];
    if (!first) return '';
    const kinds = new Set(problems.map((finding) => finding.kind));
    return kinds.size === 1 ? kindOf(first) : t('app.issues', { n }, n);
  }

  function detailOf({ kind, detail }: Pick<Finding, 'kind' | 'detail'>): string {
    const message = messageFor(kind, detail);
    if (!message) return detail;
    const { n = '1', ...values } = message.values;
    return t(`findings.said.${message.key}`, { ...values, n: formatWhole(Number(n)) }, Number(n));
  }

  return { kindOf, badgeOf, detailOf };
}
