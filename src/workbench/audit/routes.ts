// The record of every write to the rules, and of all other administrative writes.
import { AuditEntryView, AuditQuery, listAudit } from '../../audit/index.ts';
import { ok } from '../../http/answers.ts';
import { page } from '../../http/schemas.ts';
import { route } from '../../kernel/route.ts';
import { platformData } from '../../kernel/scopes.ts';

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
