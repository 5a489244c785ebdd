// Rows of the groups of a live lesson with members and leader. All groups are replaced together.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { LiveLessonRow } from './live-lesson.ts';

export class LiveGroup extends Row {
  static override tableName = 'live_group';
  static override idColumn = ['organizationId', 'id'];
  declare id: string;
  declare organizationId: string;
  declare liveSessionId: string;
  declare groupNo: number;
  declare leaderStudentId: number | null;
}

export interface GroupWithMembers {
  readonly groupId: string;
  /** From 1, in the order of the request. */
  readonly groupNo: number;
  readonly memberStudentIds: readonly number[];
  readonly leaderStudentId: number | null;
}

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'id'>;

export const groupsOf = (trx: Trx, { organizationId, id }: LessonKey): Promise<GroupWithMembers[]> =>
  rowsOf<GroupWithMembers>(
    trx,
    `select g.id as group_id, g.group_no, g.leader_student_id, array(
       select m.student_id from live_group_member m where m.organization_id = g.organization_id
         and m.live_session_id = g.live_session_id and m.group_id = g.id order by m.student_id) as member_student_ids
     from live_group g where g.organization_id = :organizationId and g.live_session_id = :id order by g.group_no`,
    { organizationId, id },
  );

/** The caller holds the lock of the lesson. */
export async function replaceGroups(
  trx: Trx,
  { organizationId, id: liveSessionId }: LessonKey,
  groups: readonly GroupWithMembers[],
): Promise<void> {
  const key = { organizationId, liveSessionId };
  await LiveGroup.query(trx).where(key).delete();
  await insertRows(
    trx,
    'live_group',
    groups.map(({ groupId, groupNo, leaderStudentId }) => ({ ...key, id: groupId, groupNo, leaderStudentId })),
  );
  const members = groups.flatMap(({ groupId, memberStudentIds }) =>
    memberStudentIds.map((studentId) => ({ ...key, studentId, groupId })),
  );
  await insertRows(trx, 'live_group_member', members);
}

/** The caller holds the lock of the lesson. */
export async function setLeader(
  trx: Trx,
  { organizationId }: LessonKey,
  groupId: string,
  leaderStudentId: number,
): Promise<void> {
  await LiveGroup.query(trx).where({ organizationId, id: groupId }).patch({ leaderStudentId });
}
