// Routes of the registry of checks and of the alert log.
import { ok } from '#core/http/answers.ts';
import { defaultLimit, pageOf, rowsAfterCursor } from '#core/http/pages.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization, platformData } from '#core/module/scopes.ts';
import { askForAudit, auditSummary } from './audit/summary.ts';
import { checksAt } from './checks/in-force.ts';
import { listQaAlerts } from './log/queries.ts';
import { AlertPage, CheckList, CheckQuery, QaAlertQuery, QaAuditView } from './schemas.ts';

const reading = { tag: 'quality', allow: ['VIEW_QA_REGISTRY'], demo: 'read' } as const;

export const qaRoutes = [
  route({
    ...reading,
    method: 'get',
    path: '/api/qa/checks',
    operation: 'listQaChecks',
    summary: 'Every check of the service, as it is in force',
    scope: platformData,
    query: CheckQuery,
    answers: { 200: CheckList },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query: { limit = defaultLimit, cursor }, now }) => {
      const { ruleVersion, items } = await checksAt(services, trx, now);
      const page = pageOf(
        rowsAfterCursor(items, cursor, ({ qaCheckId }) => qaCheckId),
        limit,
        ({ qaCheckId }) => [qaCheckId],
        (check) => ({ ...check }),
      );
      return ok({ ruleVersion, ...page });
    },
  }),
  route({
    ...reading,
    method: 'get',
    path: '/api/qa/runtime-alerts',
    operation: 'listRuntimeAlerts',
    summary: 'What checks have found, newest first; SUPER sees all organizations and the platform itself',
    scope: ownOrganization,
    query: QaAlertQuery,
    answers: { 200: AlertPage },
    run: async ({ trx, actor, query }) => ok(await listQaAlerts(trx, actor.organizationId, query)),
  }),
  route({
    ...reading,
    method: 'get',
    path: '/api/admin/qa/audit-summary',
    operation: 'getQaAuditSummary',
    heavy: true,
    summary: 'What the last audit counted; one older than five minutes asks for another',
    scope: ownOrganization,
    answers: { 200: QaAuditView },
    errors: ['ENGINE_UNAVAILABLE'],
    prepare:
      async ({ services, actor }) =>
      async () =>
        askForAudit(services, actor.organizationId),
    run: async ({ services, trx, actor, now }) => ok(await auditSummary(services, trx, actor.organizationId, now)),
  }),
];
