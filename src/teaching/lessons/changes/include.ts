// A person includes one more student: by the rules, or in spite of a soft one with a reason.
import type { Static } from 'typebox';
import { AppError, invalid, notFound } from '#core/platform/errors.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { findBlueprint } from '../../lesson-blueprints/index.ts';
import { decideRecipients } from '../recipients/decide.ts';
import { enrolledAmong } from '../recipients/enrolled.ts';
import { recipientRow } from '../recipients/rows.ts';
import { appendAct } from '../rows/change.ts';
import { requireCall } from '../rows/moves.ts';
import { lockSession, SessionRecipient, type SessionRow, saveRecipients } from '../rows/store.ts';
import type { SessionCallOf } from './call.ts';
import type { InclusionBody } from './schemas.ts';

type Inclusion = SessionCallOf<Static<typeof InclusionBody>> & { readonly studentId: number };

const scopeOfCode = 'session_recipient';

/** Who is included already stays so, whatever the rules say by now. Answers the session. */
export async function includeRecipient(asked: Inclusion): Promise<SessionRow> {
  const { services, trx, actor, scope, studentId } = asked;
  await requireKnown(asked);
  await requireCode(asked);
  const row = await lockSession(trx, scope.session);
  const now = services.clock.now();
  const call = { ...asked, now };
  const { organizationId, id: sessionId } = row;
  const known = await SessionRecipient.query(trx).findOne({ organizationId, sessionId, studentId });
  if (known?.state !== 'included') await requireFitting(call);
  requireCall('include', row);
  if (known?.state === 'included') return row;
  await saveRecipients(trx, [await decidedRow(call, row)]);
  await appendAct(trx, row, {
    ...{ action: 'recipient_included', actorUserId: actor.userId, changedFields: ['recipients'], now },
  });
  return row;
}

async function requireKnown({ trx, scope: { session }, studentId }: Inclusion): Promise<void> {
  const { known } = await enrolledAmong(trx, session, [studentId]);
  if (!known.has(studentId)) throw notFound();
}

async function requireCode({ services, trx, body: { overrideCode }, now }: Inclusion): Promise<void> {
  if (overrideCode === undefined) return;
  const { codes } = interventionRules((await services.rules.at(trx, now)).rules);
  const fault = codes.faultOf(overrideCode, scopeOfCode);
  if (fault) throw invalid('overrideCode', fault);
}

async function requireFitting({ trx, scope: { session, classRow }, studentId }: Inclusion): Promise<void> {
  const { here } = await enrolledAmong(trx, session, [studentId]);
  if (!here.has(studentId)) throw invalid('studentId', 'not_in_class');
  const blueprint = await findBlueprint(trx, session.blueprintId);
  if (blueprint?.content.grade !== classRow.grade) throw invalid('studentId', 'grade_mismatch');
}

async function decidedRow({ services, trx, studentId, body: { overrideCode }, now }: Inclusion, row: SessionRow) {
  const { organizationId, bundleId } = row;
  const decided = await decideRecipients(trx, services, { organizationId, bundleId, studentIds: [studentId], now });
  const answer = decided.get(studentId);
  if (!answer) throw notFound();
  if (answer.outcome === 'excluded_hard') throw excludedMember(answer.reasonCode);
  const isSoft = answer.outcome === 'excluded_soft';
  if (isSoft && overrideCode === undefined) throw invalid('overrideCode', 'override_required');
  return recipientRow(row, studentId, answer, now, isSoft ? (overrideCode ?? null) : null);
}

const excludedMember = (reasonCode: string | null) =>
  new AppError('EXCLUDED_MEMBER', 'Nothing may be given to this student yet.', {
    details: [{ field: 'studentId', issue: reasonCode ?? '' }],
  });
