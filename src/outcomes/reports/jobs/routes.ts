// Routes that start PDF reports. Progress and files are served by the documents capability.
import { Cuid, idParams, object } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { classInReach, type Organization, organizationInPath } from '#identity/people/index.ts';
import { requestReport } from '#messaging/documents/index.ts';
import { boardReport } from './board-report.ts';
import { classReport } from './class-report.ts';
import { NoParts, ReportAsked } from './schemas.ts';

const organizationOfBoard: AppScope<Organization> = {
  reach: 'O',
  resolve: (request) =>
    organizationInPath.resolve({ ...request, params: { ...request.params, id: request.params.orgId ?? '' } }),
};

export const reportPdfRoutes = [
  route({
    method: 'post',
    path: '/api/reports/classes/:id/pdf',
    operation: 'startClassReportPdf',
    summary: 'Let the report on a class be rendered as PDF',
    tag: 'reports',
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(),
    demo: 'blocked',
    params: idParams,
    body: NoParts,
    answers: { 202: ReportAsked },
    run: async ({ trx, actor, scope, now }) => {
      const { organizationId, id } = scope;
      return accepted(
        await requestReport(trx, orderOf({ organizationId, kind: classReport, subject: String(id) }, actor, now)),
      );
    },
  }),
  route({
    method: 'post',
    path: '/api/reports/orgs/:orgId/board-pdf',
    operation: 'startBoardPdf',
    summary: 'Let the report for a board be rendered as PDF, of published counts alone',
    tag: 'reports',
    allow: ['VIEW_ORG_AGGREGATES'],
    scope: organizationOfBoard,
    demo: 'blocked',
    params: object({ orgId: Cuid }),
    body: NoParts,
    answers: { 202: ReportAsked },
    run: async ({ trx, actor, scope, now }) => {
      const order = { organizationId: scope.id, kind: boardReport, subject: scope.id };
      return accepted(await requestReport(trx, orderOf(order, actor, now)));
    },
  }),
];

type Order = Pick<Parameters<typeof requestReport>[1], 'organizationId' | 'kind' | 'subject'>;

/** Equal content keys share one open job: same caller, kind and target. */
const orderOf = (order: Order, { userId }: { readonly userId: number }, now: Date) => ({
  ...{ ...order, input: {}, contentKey: `${order.subject} for ${userId}`, requestedBy: userId, now },
});

const accepted = ({ id: jobId }: { readonly id: string }) => ({
  ...{ status: 202 as const, body: { jobId }, headers: { location: `/api/report-jobs/${jobId}` } },
});
