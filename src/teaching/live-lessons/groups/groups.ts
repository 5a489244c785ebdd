// Groups of students in a live lesson, and their leaders.
import type { Static } from 'typebox';
import { invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { refuseMerged } from '#identity/people/index.ts';
import type { CallWith } from '../call.ts';
import { openLiveStates } from '../enums.ts';
import { requireMembers } from '../members.ts';
import { appendLiveEvents } from '../rows/events.ts';
import { type GroupWithMembers, groupsOf, replaceGroups, setLeader } from '../rows/groups.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import { lockLive } from '../rows/lock.ts';
import type { GroupsBody, LeaderBody } from './schemas.ts';

type Body = Static<typeof GroupsBody>;
type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'id' | 'classId'>;

const changed = [{ type: 'group_changed' }] as const;

/** Throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR and CONFLICT, in this order. */
export async function setGroups(call: CallWith<Body>, { organizationId, id, classId }: LessonKey) {
  const { services, trx, body } = call;
  const named = body.groups.flatMap(({ memberStudentIds }, group) =>
    memberStudentIds.map((studentId, at) => ({ studentId, field: `groups.${group}.memberStudentIds.${at}` })),
  );
  await requireMembers(call, { organizationId, classId }, named);
  requireOnce(named);
  requireOwnLeaders(body);
  const row = await lockLive(trx, organizationId, id);
  requireLiveState(row, openLiveStates);
  const groups = body.groups.map(({ memberStudentIds, leaderStudentId = null }, at) => ({
    groupId: newId(),
    groupNo: at + 1,
    leaderStudentId,
    memberStudentIds: memberStudentIds.toSorted((one, other) => one - other),
  }));
  await replaceGroups(trx, row, groups);
  await appendLiveEvents(trx, row, changed, services.clock.now());
  return groups;
}

function requireOnce(named: readonly { readonly studentId: number; readonly field: string }[]): void {
  const seen = new Set<number>();
  for (const { studentId, field } of named) {
    if (seen.has(studentId)) throw invalid(field, 'repeated');
    seen.add(studentId);
  }
}

function requireOwnLeaders({ groups }: Body): void {
  const at = groups.findIndex(
    ({ memberStudentIds, leaderStudentId }) =>
      leaderStudentId !== undefined && !memberStudentIds.includes(leaderStudentId),
  );
  if (at !== -1) throw invalid(`groups.${at}.leaderStudentId`, 'not_a_member');
}

/** Throws NOT_FOUND when the groups were replaced since the scope was checked. */
export async function changeLeader(
  { services, trx, body }: CallWith<Static<typeof LeaderBody>>,
  { organizationId, id }: LessonKey,
  groupId: string,
): Promise<GroupWithMembers> {
  const row = await lockLive(trx, organizationId, id);
  const group = (await groupsOf(trx, row)).find((one) => one.groupId === groupId);
  if (!group) throw notFound();
  await refuseMerged(trx, organizationId, [body.studentId], 'studentId');
  if (!group.memberStudentIds.includes(body.studentId)) throw invalid('studentId', 'not_a_member');
  requireLiveState(row, openLiveStates);
  if (group.leaderStudentId === body.studentId) return group;
  await setLeader(trx, row, groupId, body.studentId);
  await appendLiveEvents(trx, row, changed, services.clock.now());
  return { ...group, leaderStudentId: body.studentId };
}
