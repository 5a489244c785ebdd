// Request and response schemas of groups of a live lesson.
import Type from 'typebox';
import { Cuid, IntegerId, named, nullable, object } from '#core/http/schemas.ts';

const maxGroups = 12;
const maxMembers = 12;
const Members = Type.Array(IntegerId, { minItems: 1, maxItems: maxMembers });

export const GroupsBody = object({
  groups: Type.Array(object({ memberStudentIds: Members, leaderStudentId: Type.Optional(IntegerId) }), {
    maxItems: maxGroups,
  }),
});

export const LeaderBody = object({ studentId: IntegerId });

export const groupParams = object({ id: Cuid, groupId: Cuid });

export const LiveGroupView = named(
  'LiveGroup',
  object({
    groupId: Cuid,
    groupNo: Type.Integer({ minimum: 1 }),
    memberStudentIds: Type.Array(IntegerId),
    leaderStudentId: nullable(IntegerId),
  }),
);

export const LiveGroups = named('LiveGroups', object({ groups: Type.Array(LiveGroupView) }));
