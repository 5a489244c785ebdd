// A blueprint is given to a class (BSN-01): for whom, in which way, and perhaps on which day.
import type { Static } from 'typebox';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { type ClassInScope, classInReach, enterOrganization, teachersAndAdmins } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { findBlueprint, type StoredBlueprint } from '../../lesson-blueprints/index.ts';
import { decideRecipients } from '../recipients/decide.ts';
import { enrolledAmong } from '../recipients/enrolled.ts';
import { recipientRow } from '../recipients/rows.ts';
import { appendAct } from '../rows/change.ts';
import { SessionRow, saveRecipients } from '../rows/store.ts';
import type { Call } from './call.ts';
import type { CreationBody } from './schemas.ts';

type Body = Static<typeof CreationBody>;

interface Asked {
  readonly blueprint: StoredBlueprint;
  readonly classRow: ClassInScope;
  /** Who of the students is in the class. */
  readonly here: ReadonlySet<number>;
}

/** Throws CONFLICT `superseded`, last of all. */
export async function createSession(call: Call<Body>): Promise<SessionRow> {
  const asked = await reached(call);
  await enterOrganization(call, asked.classRow.organizationId);
  requireFitting(call.body, asked);
  if (asked.blueprint.state !== 'active')
    throw conflict('superseded', 'There is a newer version of this blueprint.', 'blueprintId');
  return insert(call, asked);
}

/** What the body names: the blueprint, the class as the caller reaches it, then its students. */
async function reached({ services, trx, actor, body, now }: Call<Body>): Promise<Asked> {
  const blueprint = await findBlueprint(trx, body.blueprintId);
  if (!blueprint) throw notFound();
  const params = { id: String(body.classId) };
  const { row: classRow } = await classInReach(teachersAndAdmins).resolve({ services, trx, actor, params, now });
  const place = { organizationId: classRow.organizationId, classId: classRow.id };
  const { known, here } = await enrolledAmong(trx, place, body.recipientStudentIds);
  if (known.size < body.recipientStudentIds.length) throw notFound();
  return { blueprint, classRow, here };
}

function requireFitting(body: Body, { blueprint: { content }, classRow, here }: Asked): void {
  const stranger = body.recipientStudentIds.findIndex((id) => !here.has(id));
  if (stranger >= 0) throw invalid(`recipientStudentIds.${stranger}`, 'not_in_class');
  if (content.grade !== classRow.grade) throw invalid('classId', 'grade_mismatch');
  if (!content.deliveryModes.includes(body.deliveryMode)) throw invalid('deliveryMode', 'mode_not_offered');
}

async function insert(call: Call<Body>, { blueprint, classRow }: Asked): Promise<SessionRow> {
  const { services, trx, actor, body, now } = call;
  const { profiles } = interventionRules((await services.rules.at(trx, now)).rules);
  const { organizationId, id: classId, timeZone } = classRow;
  const { content, blueprintId, version } = blueprint;
  const question = { organizationId, bundleId: content.bundle_id, studentIds: body.recipientStudentIds, now };
  const decided = await decideRecipients(trx, services, question);
  const row = Object.assign(new SessionRow(), {
    ...{ id: newId(), organizationId, classId, blueprintId, blueprintVersion: version },
    schoolYear: schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart).name,
    ...{ bundleId: content.bundle_id, stepNo: content.stepNo, sessionRole: content.sessionRole },
    ...{ scaffoldTier: content.scaffoldTier, plannedMinutes: content.durationMinutes },
    ...{ deliveryMode: body.deliveryMode, state: 'draft' as const, scheduledOn: body.scheduledOn ?? null },
    ...{ removedItemRefs: [], segmentOrder: content.segments.map(({ segmentNo }) => segmentNo) },
    ...{ distributedAt: null, deliveredOn: null, cancelReasonCode: null, closedAt: null },
    ...{ createdBy: actor.userId, createdAt: now.toISOString() },
  });
  await SessionRow.query(trx).insert(row);
  const recipients = [...decided].map(([studentId, answer]) => recipientRow(row, studentId, answer, now));
  await saveRecipients(trx, recipients);
  await appendAct(trx, row, { action: 'created', actorUserId: actor.userId, changedFields: [], now });
  return row;
}
