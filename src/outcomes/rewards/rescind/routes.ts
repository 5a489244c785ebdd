// The route that rescinds a badge.

import { ok } from '#core/http/answers.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { findOwnerInReach, studentWriteErrors } from '#identity/people/index.ts';
import { StudentBadge } from '../ledger/models.ts';
import type { BadgeRow } from '../ledger/rows.ts';
import { rescindBadge } from './rescind.ts';
import { badgeParams, RescindBody, RescindedBadge } from './schemas.ts';

/** A badge of a student whom the caller teaches today, as first or second teacher. */
const badgeOfOwnStudent: AppScope<BadgeRow> = {
  reach: 'T',
  writeErrors: studentWriteErrors,
  resolve: async ({ trx, actor, params }) => {
    const { organizationId } = actor;
    const badge = () =>
      StudentBadge.query(trx).where({ id: params.studentBadgeId, ...(organizationId !== null && { organizationId }) });
    const [row, { row: _student, ...found }] = await Promise.all([
      badge().first(),
      findOwnerInReach({ trx, actor }, badge().select('studentId').toKnexQuery(), ['TEACHER']),
    ]);
    if (!row) throw notFound();
    return { ...found, row };
  },
};

export const rescindRoutes = [
  route({
    method: 'post',
    path: '/api/teachers/badges/:studentBadgeId/rescind',
    operation: 'rescindBadge',
    summary: 'Take a badge back that was given by mistake, with the XP that came with it',
    tag: 'gamification',
    allow: ['VIEW_OWN_CLASSES'],
    scope: badgeOfOwnStudent,
    demo: 'blocked',
    params: badgeParams,
    body: RescindBody,
    bodyFaultStatus: 400,
    answers: { 200: RescindedBadge },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await rescindBadge(ctx)),
  }),
];
