// Administrators' routes: a student's ledgers row by row, and a replay of them from the mastery events.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { replayStudent } from '../replay/replay-student.ts';
import { RewardReplayBody, RewardReplayView } from '../replay/schemas.ts';
import { auditOf } from './audit.ts';
import { RewardAuditQuery, RewardAuditView } from './schemas.ts';

const auditing = { tag: 'gamification', allow: ['MANAGE_ORG'], scope: ownOrganization, demo: 'read' } as const;

export const rewardAuditRoutes = [
  route({
    ...auditing,
    method: 'get',
    path: '/api/admin/gamification/audit',
    operation: 'getGamificationAudit',
    heavy: true,
    summary: 'Mastery events of a student in the order of the ledger, with all that was booked under them',
    query: RewardAuditQuery,
    answers: { 200: RewardAuditView },
    errors: ['NOT_FOUND'],
    run: async ({ trx, query }) => ok(await auditOf(trx, query)),
  }),
  route({
    ...auditing,
    method: 'post',
    readOnly: true,
    path: '/api/admin/gamification/replay',
    operation: 'replayGamification',
    heavy: true,
    summary: 'Derive a student’s rewards again from the mastery events, beside what was booked; writes nothing',
    body: RewardReplayBody,
    answers: { 200: RewardReplayView },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body, now }) => ok(await replayStudent(trx, services, body, now)),
  }),
];
