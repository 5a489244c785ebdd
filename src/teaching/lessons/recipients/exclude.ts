// Re-evaluation of the recipients before a lesson is accepted or distributed: students with a hard exclusion and those who
// left the class are excluded. No student is included, and a student who merely has no active assignment stays.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { includedIds, type LessonRecipient, type LessonRow, recipientsOf, saveRecipients } from '../rows/store.ts';
import { decideRecipients } from './decide.ts';
import { findEnrolled } from './enrolled.ts';

/** The student left the class; no rule was evaluated. */
const leftClass = { ruleId: null, ruleVersion: null, facts: null, reasonCode: 'not_in_class' } as const;

type Exclusion = Pick<LessonRecipient, 'studentId' | 'ruleId' | 'ruleVersion' | 'facts' | 'reasonCode'>;

/** Returns the ids that remain included. The caller holds the lock of the lesson. Throws ENGINE_UNAVAILABLE. */
export async function excludeIneligible(trx: Trx, services: Services, row: LessonRow, now: Date): Promise<number[]> {
  const included = includedIds(await recipientsOf(trx, row));
  const excluded = await exclusionsOf(trx, services, row, included, now);
  await exclude(trx, row, excluded, now);
  const excludedIds = new Set(excluded.map(({ studentId }) => studentId));
  return included.filter((id) => !excludedIds.has(id));
}

async function exclusionsOf(
  trx: Trx,
  services: Services,
  row: LessonRow,
  studentIds: readonly number[],
  now: Date,
): Promise<Exclusion[]> {
  const { organizationId, bundleId } = row;
  const { enrolled } = await findEnrolled(trx, row, studentIds);
  const decisions = await decideRecipients(trx, services, { organizationId, bundleId, studentIds, now });
  return studentIds.flatMap((studentId): Exclusion[] => {
    const decision = decisions.get(studentId);
    if (decision?.outcome === 'excluded_hard') {
      const { ruleId, ruleVersion, facts, reasonCode } = decision;
      return [{ studentId, ruleId, ruleVersion, facts, reasonCode }];
    }
    return enrolled.has(studentId) ? [] : [{ studentId, ...leftClass }];
  });
}

/** Stores the exclusions in one statement. */
async function exclude(trx: Trx, row: LessonRow, excluded: readonly Exclusion[], now: Date): Promise<void> {
  const { organizationId, id: sessionId } = row;
  const rows = excluded.map((one) => ({
    organizationId,
    sessionId,
    ...one,
    state: 'excluded' as const,
    overrideCode: null,
    present: null,
    decidedAt: now.toISOString(),
  }));
  await saveRecipients(trx, rows);
}
