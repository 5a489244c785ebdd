// Creates packets with SQL, because the demo allows none.
import { newId } from '#core/platform/ids.ts';
import type { Insert, UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** Creates a draft. */
export async function draftPacket(
  { database: { owner }, clock }: TestApp,
  { id: studentId, organizationId }: UserRow,
  overrides: Insert = {},
): Promise<string> {
  const id = newId();
  await owner('student_support').insert({ organizationId, studentId }).onConflict().ignore();
  await owner('decision_packet').insert({
    ...{ id, organizationId, studentId, reviewType: 'tier_escalation', status: 'draft', openedBy: studentId },
    ...{ openedAt: clock.now(), timeZone: 'Asia/Riyadh', ruleVersions: JSON.stringify(stamped) },
    ...overrides,
  });
  return id;
}

export const closedPacket = (app: TestApp, student: UserRow): Promise<string> =>
  draftPacket(app, student, {
    ...{ status: 'rejected', rejectReasonCode: 'Opened_In_Error', closedBy: student.id, closedAt: app.clock.now() },
  });

/** Versions of the documents that have the codes of a packet. */
const stamped = {
  ...{ 'catalogue/subskills': 1, 'language/context-flags': 1, 'rti/decision-packet': 1, 'rti/reason-codes': 1 },
};
