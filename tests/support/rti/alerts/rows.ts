// Inserts alerts for tests of their consequences.
import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';

export interface AlertOf {
  readonly id: number;
  readonly organizationId: string | null;
}

export const emptyInput = { facts: {}, alerts: [], today: '2026-01-31' };

/** An open Student_Alert. Returns its id. */
export async function buildAlert(owner: Db, { id: studentId, organizationId }: AlertOf, overrides: object = {}) {
  const id = newId();
  await owner('student_support').insert({ organizationId, studentId }).onConflict().ignore();
  await owner('rti_alert').insert({
    ...{ id, organizationId, studentId, kind: 'Student_Alert', severity: 3, state: 'open', ruleId: 'RAL-04' },
    ...{ openedAt: '2026-01-31T08:00:00.000Z', openedOn: '2026-01-31', expiryTold: false },
    ...{ opened: JSON.stringify(emptyInput), ruleVersions: JSON.stringify({ 'rti/alerts': 1 }) },
    ...overrides,
  });
  return id;
}
