// Creation of a lesson from a blueprint for a class (BSN-01): recipients, delivery mode and optional date.
import type { Static } from 'typebox';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import {
  type ClassInScope,
  classInReach,
  enterOrganization,
  refuseMerged,
  requireCurrentClass,
  teachersAndAdmins,
} from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { findBlueprint, type StoredBlueprint } from '../../lesson-blueprints/index.ts';
import { decideRecipients, recipientRow } from '../recipients/decide.ts';
import { findEnrolled } from '../recipients/enrolled.ts';
import { appendLessonAct } from '../rows/change.ts';
import { LessonRow, saveRecipients } from '../rows/store.ts';
import type { LessonChangeCall } from './call.ts';
import type { LessonCreationBody } from './schemas.ts';

type Body = Static<typeof LessonCreationBody>;

interface LessonRequest {
  readonly blueprint: StoredBlueprint;
  readonly classRow: ClassInScope;
  /** Ids of the requested students who are enrolled in the class. */
  readonly enrolled: ReadonlySet<number>;
}

/** Throws CONFLICT `no_grade` for a class of another school year, `superseded` after all other checks. */
export async function createLesson(call: LessonChangeCall<Body>): Promise<LessonRow> {
  const request = await resolveRequest(call);
  await enterOrganization(call, request.classRow.organizationId);
  requireValid(call.body, request);
  await requireCurrentClass(call.services, call.trx, request.classRow, call.now);
  if (request.blueprint.state !== 'active')
    throw conflict('superseded', 'There is a newer version of this blueprint.', 'blueprintId');
  return insert(call, request);
}

/** Resolves the ids of the body: the blueprint, the class in the caller's reach, and the students. */
async function resolveRequest({ services, trx, actor, body, now }: LessonChangeCall<Body>): Promise<LessonRequest> {
  const blueprint = await findBlueprint(trx, body.blueprintId);
  if (!blueprint) throw notFound();
  const params = { id: String(body.classId) };
  const { row: classRow } = await classInReach(teachersAndAdmins).resolve({ services, trx, actor, params, now });
  const key = { organizationId: classRow.organizationId, classId: classRow.id };
  const { known, enrolled } = await findEnrolled(trx, key, body.recipientStudentIds);
  if (known.size < body.recipientStudentIds.length) throw notFound();
  await refuseMerged(trx, key.organizationId, body.recipientStudentIds, 'recipientStudentIds');
  return { blueprint, classRow, enrolled };
}

function requireValid(body: Body, { blueprint: { content }, classRow, enrolled }: LessonRequest): void {
  const unenrolled = body.recipientStudentIds.findIndex((id) => !enrolled.has(id));
  if (unenrolled >= 0) throw invalid(`recipientStudentIds.${unenrolled}`, 'not_in_class');
  if (content.grade !== classRow.grade) throw invalid('classId', 'grade_mismatch');
  if (!content.deliveryModes.includes(body.deliveryMode)) throw invalid('deliveryMode', 'mode_not_offered');
}

async function insert(call: LessonChangeCall<Body>, { blueprint, classRow }: LessonRequest): Promise<LessonRow> {
  const { services, trx, actor, body, now } = call;
  const { profiles } = interventionRules((await services.rules.at(trx, now)).rules);
  const { organizationId, id: classId, timeZone } = classRow;
  const { content, blueprintId, version } = blueprint;
  const input = { organizationId, bundleId: content.bundle_id, studentIds: body.recipientStudentIds, now };
  const decisions = await decideRecipients(trx, services, input);
  const row = Object.assign(new LessonRow(), {
    id: newId(),
    organizationId,
    classId,
    blueprintId,
    blueprintVersion: version,
    schoolYear: schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart).name,
    bundleId: content.bundle_id,
    stepNo: content.stepNo,
    sessionRole: content.sessionRole,
    scaffoldTier: content.scaffoldTier,
    plannedMinutes: content.durationMinutes,
    deliveryMode: body.deliveryMode,
    state: 'draft' as const,
    scheduledOn: body.scheduledOn ?? null,
    removedItemRefs: [],
    segmentOrder: content.segments.map(({ segmentNo }) => segmentNo),
    distributedAt: null,
    deliveredOn: null,
    cancelReasonCode: null,
    closedAt: null,
    createdBy: actor.userId,
    createdAt: now.toISOString(),
  });
  await LessonRow.query(trx).insert(row);
  const recipients = [...decisions].map(([studentId, decision]) => recipientRow(row, studentId, decision, now));
  await saveRecipients(trx, recipients);
  await appendLessonAct(trx, row, { action: 'created', actorUserId: actor.userId, changedFields: [], now });
  return row;
}
