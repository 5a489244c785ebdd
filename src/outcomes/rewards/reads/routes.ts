// Routes that read students' growth.
import { ok } from '#core/http/answers.ts';
import { classParams, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { leaderboard } from './leaderboard.ts';
import { rewardProfile } from './profile.ts';
import { Leaderboard, LeaderboardQuery, RewardProfile, schoolParams, teacherParams } from './schemas.ts';
import { classBoard, profiledStudent, schoolBoard, teacherBoard } from './scopes.ts';

const reading = { method: 'get', tag: 'gamification', demo: 'read', errors: ['ENGINE_UNAVAILABLE'] } as const;
const board = {
  ...reading,
  allow: ['VIEW_OWN_CLASSES'],
  query: LeaderboardQuery,
  answers: { 200: Leaderboard },
} as const;

export const rewardReadRoutes = [
  route({
    ...reading,
    path: '/api/students/:id/gamification/profile',
    operation: 'getGamificationProfile',
    summary: 'What a student has grown by: XP, tier, streak and badges',
    allow: ['VIEW_OWN_CLASSES', 'VIEW_OWN_CHILDREN', 'TAKE_DIAGNOSTIC'],
    scope: profiledStudent,
    params: idParams,
    answers: { 200: RewardProfile },
    run: async (ctx) => ok(await rewardProfile(ctx, ctx.scope)),
  }),
  route({
    ...board,
    path: '/api/leaderboards/class/:classId',
    operation: 'getClassLeaderboard',
    heavy: true,
    summary: 'Growth of the students of a class in the last days',
    scope: classBoard,
    params: classParams,
    run: async (ctx) => ok(await leaderboard(ctx)),
  }),
  route({
    ...board,
    path: '/api/leaderboards/teacher/:teacherUserId',
    operation: 'getTeacherLeaderboard',
    heavy: true,
    summary: 'Growth of the students of all classes of a teacher in the last days, with totals by class',
    scope: teacherBoard,
    params: teacherParams,
    run: async (ctx) => ok(await leaderboard(ctx)),
  }),
  route({
    ...board,
    path: '/api/leaderboards/school/:schoolId',
    operation: 'getSchoolLeaderboard',
    heavy: true,
    summary: 'Growth of the students of a school in the last days',
    scope: schoolBoard,
    params: schoolParams,
    run: async (ctx) => ok(await leaderboard(ctx)),
  }),
];
