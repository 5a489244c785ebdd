// An organization's own view of who changed what.
import { ok } from '#core/http/answers.ts';
import { cuidParams, page } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { organizationInPath } from '../people/index.ts';
import { listAudit } from './queries.ts';
import { AuditEntryView, AuditQuery } from './schemas.ts';

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/organizations/:id/audit',
    operation: 'listOrganizationAudit',
    summary: 'Who changed what in the organization, newest first',
    tag: 'audit',
    allow: ['MANAGE_ORG'],
    scope: organizationInPath,
    demo: 'read',
    params: cuidParams,
    query: AuditQuery,
    answers: { 200: page(AuditEntryView) },
    run: async ({ trx, scope, query }) => ok(await listAudit(trx, { ...query, organizationId: scope.id })),
  }),
];
