// The route of the class summary. Readers of students and readers of counts have different permissions.

import { ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { denied } from '#core/platform/errors.ts';
import { classInReach, staff } from '#identity/people/index.ts';
import type { BandAudience } from '../../aggregates/index.ts';
import { AudienceQuery } from '../bands/schemas.ts';
import { ClassSummary } from './schemas.ts';
import { managerSummary, teacherSummary } from './summary.ts';

const permissionsFor: Readonly<Record<BandAudience, readonly string[]>> = {
  teacher: ['VIEW_OWN_CLASSES'],
  manager: ['VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
};

function requireAudience({ permissions }: Actor, audience: BandAudience): void {
  if (!permissionsFor[audience].some((permission) => permissions.has(permission)))
    throw denied('This summary is for others.');
}

export const classReportRoutes = [
  route({
    method: 'get',
    path: '/api/reports/classes/:id/class-summary',
    operation: 'getClassSummary',
    heavy: true,
    summary: 'A class by tile: its students as they stand now, or its published counts',
    tag: 'reports',
    allow: ['VIEW_OWN_CLASSES', 'VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: classInReach([...staff, 'MANAGER']),
    demo: 'read',
    params: idParams,
    query: AudienceQuery,
    answers: { 200: ClassSummary },
    errors: ['ENGINE_UNAVAILABLE'],
    prefetch: ({ services, trx, now }) => services.rules.prefetch(trx, now),
    run: async ({ services, trx, actor, scope, query, now }) => {
      const { audience = 'teacher' } = query;
      requireAudience(actor, audience);
      const context = { services, trx, now };
      return ok(await (audience === 'teacher' ? teacherSummary(context, scope) : managerSummary(context, scope)));
    },
  }),
];
