// Notifications as rows, as dispatch stores them.
import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';

export interface Recipient {
  readonly id: number;
  readonly organizationId: string | null;
}

interface Parts {
  readonly severity?: 'urgent' | 'action_required' | 'info';
  readonly kind?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Returns the id. */
export async function buildNotification(owner: Db, { id: recipientUserId, organizationId }: Recipient, parts: Parts) {
  const { severity = 'info', kind = 'benchmark_profile_swap', createdAt } = parts;
  const id = newId();
  await owner('notification').insert({
    organizationId: storedOrganization(organizationId),
    ...{ id, recipientUserId, kind, severity, createdAt },
    payload: { benchmarkProfileKey: 'orf-wcpm-global-g1-boy', fromVersion: null, toVersion: 2 },
    ...{ sourceType: 'benchmark_profile', sourceId: newId(), renderedTitleAr: 'عنوان', renderedBodyAr: 'نص' },
    ...{ tier: 'ui', ruleVersions: { 'notification/benchmark-profile-swap': 1 } },
  });
  return id;
}
