// A teacher's unfinished selection for a class, kept for a week. It decides nothing.
import type { Static } from 'typebox';
import type { AppScope } from '#core/module/route.ts';
import { denied, invalid, notFound } from '#core/platform/errors.ts';
import { rowIdIn } from '#core/platform/ids.ts';
import { Row } from '#core/platform/model.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { classInReach, enterOrganization, mergedRefusal, teachersAndAdmins, User } from '#identity/people/index.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import type { WorkflowCall } from './callers.ts';
import type { DraftBody, WorkflowDraftView } from './schemas.ts';

type Body = Static<typeof DraftBody>;
type Draft = Body['draft'];
type View = Static<typeof WorkflowDraftView>;

const keptMs = 7 * dayMs;

class WorkflowDraft extends Row {
  static override tableName = 'workflow_draft';
  static override idColumn = ['organizationId', 'teacherUserId', 'classId'];
  static override jsonAttributes = ['draft'];
  declare organizationId: string;
  declare teacherUserId: number;
  declare classId: number;
  declare draft: Draft;
  declare savedAt: string;
  declare expiresAt: string;
}

/** The last write wins. Only ids and codes are checked: a draft may name what cannot be assigned. */
export async function saveDraft(call: WorkflowCall<Body>): Promise<View> {
  const { services, trx, actor, body, now } = call;
  const { classId, draft } = body;
  requireWords(draft, interventionRules((await services.rules.at(trx, now)).rules));
  const params = { id: String(classId) };
  const { row } = await classInReach(['TEACHER']).resolve({ services, trx, actor, params, now });
  await enterOrganization(call, row.organizationId);
  await requireStudents(call, row.organizationId);
  const saved = {
    ...{ organizationId: row.organizationId, teacherUserId: actor.userId, classId, draft },
    ...{ savedAt: now.toISOString(), expiresAt: new Date(now.getTime() + keptMs).toISOString() },
  };
  await WorkflowDraft.query(trx).insert(saved).onConflict(['organization_id', 'teacher_user_id', 'class_id']).merge();
  return presentDraft(saved);
}

function requireWords({ selections }: Draft, { recommendation, codes }: InterventionRules): void {
  for (const [at, { bundle_id, overrideCode }] of selections.entries()) {
    const key = `draft.selections.${at}`;
    const isUnknown = bundle_id !== undefined && !recommendation.catalogue.byId.has(bundle_id);
    if (isUnknown) throw invalid(`${key}.bundle_id`, 'unknown_bundle');
    const fault = overrideCode === undefined ? undefined : codes.faultOf(overrideCode, 'workflow_adjustment');
    if (fault) throw invalid(`${key}.overrideCode`, fault);
  }
}

/**
 * Throws NOT_FOUND when one of them is no student of the organization, else PERMISSION_DENIED when one is out of reach, else
 * CONFLICT `merged` when one was merged into another account.
 */
async function requireStudents({ trx, actor, body }: WorkflowCall<Body>, organizationId: string): Promise<void> {
  const studentIds = [...new Set(body.draft.selections.map(({ studentId }) => studentId))];
  const found = await rowsOf<{ isReached: boolean; isMerged: boolean }>(
    trx,
    `select exists (select from enrollment e join class_teacher t
         on t.organization_id = e.organization_id and t.class_id = e.class_id
       where e.organization_id = u.organization_id and e.student_id = coalesce(u.merged_into_id, u.id) and e.enrolled_to is null
         and t.teacher_user_id = :teacherUserId) as is_reached, u.status = 'merged' as is_merged
     from app_user u
     where u.organization_id = :organizationId and u.id = any(:studentIds::bigint[])
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'`,
    { organizationId, studentIds, teacherUserId: actor.userId },
  );
  if (found.length < studentIds.length) throw notFound();
  if (found.some(({ isReached }) => !isReached)) throw denied('This is outside the classes that you work with.');
  if (found.some(({ isMerged }) => isMerged)) throw mergedRefusal('draft.selections');
}

export interface DraftKey {
  readonly organizationId: string;
  readonly teacherUserId: number;
  readonly classId: number;
}

const classOfDraft = classInReach(teachersAndAdmins, 'classId');

/** Teachers reach their own draft of their class; administrators those of all teachers. */
export const ownDraft: AppScope<DraftKey> = {
  reach: 'own; admin',
  resolve: async (request) => {
    const { trx, actor, params } = request;
    const teacherUserId = rowIdIn(params.teacherId ?? '') ?? 0;
    const [{ row, organization }, teacher] = await Promise.all([
      classOfDraft.resolve(request),
      User.query(trx).where({ id: teacherUserId }).select('organizationId').first(),
    ]);
    const { organizationId, id: classId } = row;
    if (teacher?.organizationId !== organizationId) throw notFound();
    if (actor.persona === 'TEACHER' && teacherUserId !== actor.userId) throw denied();
    return { row: { organizationId, teacherUserId, classId }, ...(organization && { organization }) };
  },
};

export async function readDraft(
  { trx, now }: Pick<WorkflowCall<unknown>, 'trx' | 'now'>,
  key: DraftKey,
): Promise<View> {
  const found = await WorkflowDraft.query(trx)
    .findOne({ ...key })
    .where('expiresAt', '>', now.toISOString());
  if (!found) throw notFound();
  return presentDraft(found);
}

const presentDraft = (
  row: Pick<WorkflowDraft, 'teacherUserId' | 'classId' | 'draft' | 'savedAt' | 'expiresAt'>,
): View => ({
  teacherId: row.teacherUserId,
  classId: row.classId,
  draft: row.draft,
  savedAt: row.savedAt,
  expiresAt: row.expiresAt,
});
