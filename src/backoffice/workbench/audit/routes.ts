// The audit log of changes to rules, and of all other administrative changes.

import { ok } from '#core/http/answers.ts';
import { page } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { AuditEntryView, AuditQuery, listAudit } from '#identity/audit/index.ts';

export const ruleAuditRoutes = [
  route({
    method: 'get',
    path: '/api/admin/audit',
    operation: 'listRuleAudit',
    summary: 'Who changed what, newest first',
    tag: 'rules workbench',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: AuditQuery,
    answers: { 200: page(AuditEntryView) },
    run: async ({ trx, query }) => ok(await listAudit(trx, query)),
  }),
];
