// Inclusion of one more student: allowed by the rules, or overriding a soft exclusion with a reason.
import type { Static } from 'typebox';
import { AppError, invalid, notFound } from '#core/platform/errors.ts';
import { refuseMerged } from '#identity/people/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { findBlueprint } from '../../lesson-blueprints/index.ts';
import { decideRecipients, recipientRow } from '../recipients/decide.ts';
import { findEnrolled } from '../recipients/enrolled.ts';
import { appendLessonAct } from '../rows/change.ts';
import { LessonRecipient, type LessonRow, lockLesson, saveRecipients } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import type { LessonCallOf } from './call.ts';
import type { InclusionBody } from './schemas.ts';

type Inclusion = LessonCallOf<Static<typeof InclusionBody>> & { readonly studentId: number };

const scopeOfCode = 'session_recipient';

/** Returns the lesson. A student who is already included stays included without a new decision. */
export async function includeRecipient(request: Inclusion): Promise<LessonRow> {
  const { services, trx, actor, scope, studentId } = request;
  await requireKnown(request);
  await requireCode(request);
  const row = await lockLesson(trx, scope.lesson);
  const now = services.clock.now();
  const call = { ...request, now };
  const { organizationId, id: sessionId } = row;
  const known = await LessonRecipient.query(trx).findOne({ organizationId, sessionId, studentId });
  if (known?.state !== 'included') await requireEligible(call);
  requireAcceptedCall('include', row);
  if (known?.state === 'included') return row;
  await saveRecipients(trx, [await decidedRow(call, row)]);
  await appendLessonAct(trx, row, {
    action: 'recipient_included',
    actorUserId: actor.userId,
    changedFields: ['recipients'],
    now,
  });
  return row;
}

async function requireKnown({ trx, scope: { lesson }, studentId }: Inclusion): Promise<void> {
  const { known } = await findEnrolled(trx, lesson, [studentId]);
  if (!known.has(studentId)) throw notFound();
  await refuseMerged(trx, lesson.organizationId, [studentId], 'studentId');
}

async function requireCode({ services, trx, body: { overrideCode }, now }: Inclusion): Promise<void> {
  if (overrideCode === undefined) return;
  const { codes } = interventionRules((await services.rules.at(trx, now)).rules);
  const fault = codes.faultOf(overrideCode, scopeOfCode);
  if (fault) throw invalid('overrideCode', fault);
}

async function requireEligible({ trx, scope: { lesson, classRow }, studentId }: Inclusion): Promise<void> {
  const { enrolled } = await findEnrolled(trx, lesson, [studentId]);
  if (!enrolled.has(studentId)) throw invalid('studentId', 'not_in_class');
  const blueprint = await findBlueprint(trx, lesson.blueprintId);
  if (blueprint?.content.grade !== classRow.grade) throw invalid('studentId', 'grade_mismatch');
}

async function decidedRow({ services, trx, studentId, body: { overrideCode }, now }: Inclusion, row: LessonRow) {
  const { organizationId, bundleId } = row;
  const decisions = await decideRecipients(trx, services, { organizationId, bundleId, studentIds: [studentId], now });
  const decision = decisions.get(studentId);
  if (!decision) throw notFound();
  if (decision.outcome === 'excluded_hard') throw excludedMember(decision.reasonCode);
  const isSoft = decision.outcome === 'excluded_soft';
  if (isSoft && overrideCode === undefined) throw invalid('overrideCode', 'override_required');
  return recipientRow(row, studentId, decision, now, isSoft ? (overrideCode ?? null) : null);
}

const excludedMember = (reasonCode: string | null) =>
  new AppError('EXCLUDED_MEMBER', 'This student cannot be assigned support yet.', {
    details: [{ field: 'studentId', issue: reasonCode ?? '' }],
  });
