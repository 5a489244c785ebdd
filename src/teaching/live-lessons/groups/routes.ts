// Routes of groups of a live lesson.
import type { Static } from 'typebox';
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { type GroupWithMembers, groupsOf, LiveGroup } from '../rows/groups.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { liveInReach, liveTaught } from '../scopes.ts';
import { changeLeader, setGroups } from './groups.ts';
import { GroupsBody, groupParams, LeaderBody, LiveGroups, LiveGroupView } from './schemas.ts';

const common = { tag: 'live-sessions', allow: ['VIEW_OWN_CLASSES'] } as const;

/** Throws NOT_FOUND for a group of another lesson. */
const groupTaught: AppScope<LiveLessonRow> = {
  reach: liveTaught.reach,
  resolve: async (request) => {
    const scoped = await liveTaught.resolve(request);
    const { organizationId, id: liveSessionId } = scoped.row;
    const key = { organizationId, liveSessionId, id: request.params.groupId ?? '' };
    if (!(await LiveGroup.query(request.trx).where(key).select('id').first())) throw notFound();
    return scoped;
  },
};

const present = ({ groupId, groupNo, memberStudentIds, leaderStudentId }: GroupWithMembers) =>
  ({ groupId, groupNo, memberStudentIds: [...memberStudentIds], leaderStudentId }) satisfies Static<
    typeof LiveGroupView
  >;

export const groupRoutes = [
  route({
    ...common,
    method: 'post',
    path: '/api/sync/sessions/:id/groups',
    operation: 'setLiveGroups',
    summary: 'Put students of the class into groups, in place of those before',
    scope: liveTaught,
    demo: 'blocked',
    params: cuidParams,
    body: GroupsBody,
    answers: { 200: LiveGroups },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx) => ok({ groups: (await setGroups(ctx, ctx.scope)).map(present) }),
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/sync/sessions/:id/groups',
    operation: 'getLiveGroups',
    summary: 'The groups of a live session',
    scope: liveInReach,
    demo: 'read',
    params: cuidParams,
    answers: { 200: LiveGroups },
    run: async ({ trx, scope }) => ok({ groups: (await groupsOf(trx, scope)).map(present) }),
  }),
  route({
    ...common,
    method: 'patch',
    path: '/api/sync/sessions/:id/groups/:groupId/leader',
    operation: 'setLiveGroupLeader',
    summary: 'Say who leads a group',
    scope: groupTaught,
    demo: 'blocked',
    params: groupParams,
    body: LeaderBody,
    answers: { 200: LiveGroupView },
    errors: ['CONFLICT'],
    run: async (ctx) => ok(present(await changeLeader(ctx, ctx.scope, ctx.params.groupId))),
  }),
];
