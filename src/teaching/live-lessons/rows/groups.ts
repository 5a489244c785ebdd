// Groups of a live session: who is in which, and who leads. All of them are replaced together.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { LiveSessionRow } from './session.ts';

class LiveGroup extends Row {
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
  /** From 1, in the order in which they were given. */
  readonly groupNo: number;
  readonly memberStudentIds: readonly number[];
  readonly leaderStudentId: number | null;
}

type Place = Pick<LiveSessionRow, 'organizationId' | 'id'>;

export const groupsOf = (trx: Trx, { organizationId, id }: Place): Promise<GroupWithMembers[]> =>
  rowsOf<GroupWithMembers>(
    trx,
    `select g.id as group_id, g.group_no, g.leader_student_id, array(
       select m.student_id from live_group_member m where m.organization_id = g.organization_id
         and m.live_session_id = g.live_session_id and m.group_id = g.id order by m.student_id) as member_student_ids
     from live_group g where g.organization_id = :organizationId and g.live_session_id = :id order by g.group_no`,
    { organizationId, id },
  );

/** The session is locked. */
export async function replaceGroups(
  trx: Trx,
  { organizationId, id: liveSessionId }: Place,
  groups: readonly GroupWithMembers[],
): Promise<void> {
  const place = { organizationId, liveSessionId };
  await trx('live_group').where(place).delete();
  await insertRows(
    trx,
    'live_group',
    groups.map(({ groupId, groupNo, leaderStudentId }) => ({ ...place, id: groupId, groupNo, leaderStudentId })),
  );
  const members = groups.flatMap(({ groupId, memberStudentIds }) =>
    memberStudentIds.map((studentId) => ({ ...place, studentId, groupId })),
  );
  await insertRows(trx, 'live_group_member', members);
}

/** The session is locked. */
export async function setLeader(
  trx: Trx,
  { organizationId }: Place,
  groupId: string,
  leaderStudentId: number,
): Promise<void> {
  await LiveGroup.query(trx).where({ organizationId, id: groupId }).patch({ leaderStudentId });
}
