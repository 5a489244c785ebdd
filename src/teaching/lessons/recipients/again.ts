// Before a session is accepted and before it is laid out for students it is asked again whom it is for: who may not take part
// by now, or has left the class, is set excluded. Nobody is included by this, and who only has no plan any more stays.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { includedIds, recipientsOf, type SessionRecipient, type SessionRow, saveRecipients } from '../rows/store.ts';
import { decideRecipients } from './decide.ts';
import { enrolledAmong } from './enrolled.ts';

/** Not of the rules: the student is in this class no more. */
const unasked = { ruleId: null, ruleVersion: null, facts: null, reasonCode: 'not_in_class' } as const;

type Exclusion = Pick<SessionRecipient, 'studentId' | 'ruleId' | 'ruleVersion' | 'facts' | 'reasonCode'>;

/** The session's row is locked. Answers who is included from now on. Throws ENGINE_UNAVAILABLE. */
export async function excludeAnew(trx: Trx, services: Services, row: SessionRow, now: Date): Promise<number[]> {
  const included = includedIds(await recipientsOf(trx, row));
  const excluded = await exclusionsOf(trx, services, row, included, now);
  await exclude(trx, row, excluded, now);
  const gone = new Set(excluded.map(({ studentId }) => studentId));
  return included.filter((id) => !gone.has(id));
}

async function exclusionsOf(
  trx: Trx,
  services: Services,
  row: SessionRow,
  studentIds: readonly number[],
  now: Date,
): Promise<Exclusion[]> {
  const { organizationId, bundleId } = row;
  const { here } = await enrolledAmong(trx, row, studentIds);
  const decided = await decideRecipients(trx, services, { organizationId, bundleId, studentIds, now });
  return studentIds.flatMap((studentId): Exclusion[] => {
    const answer = decided.get(studentId);
    if (answer?.outcome === 'excluded_hard') {
      const { ruleId, ruleVersion, facts, reasonCode } = answer;
      return [{ studentId, ruleId, ruleVersion, facts, reasonCode }];
    }
    return here.has(studentId) ? [] : [{ studentId, ...unasked }];
  });
}

/** One statement, however many. */
async function exclude(trx: Trx, row: SessionRow, excluded: readonly Exclusion[], now: Date): Promise<void> {
  const { organizationId, id: sessionId } = row;
  const rows = excluded.map((one) => ({
    ...{ organizationId, sessionId, ...one, state: 'excluded' as const },
    ...{ overrideCode: null, present: null, decidedAt: now.toISOString() },
  }));
  await saveRecipients(trx, rows);
}
