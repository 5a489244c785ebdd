// Documents are asked for here; how far they are, and their files, are read where all of them are.
import { idParams } from '../../http/schemas.ts';
import { route } from '../../kernel/route.ts';
import { classInReach } from '../../people/index.ts';
import { requestReport } from '../../report-jobs/index.ts';
import { NoParts, ReportAsked } from './schemas.ts';

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
      return asked(
        await requestReport(trx, orderOf({ organizationId, kind: 'class_report', subject: String(id) }, actor, now)),
      );
    },
  }),
];

type Order = Pick<Parameters<typeof requestReport>[1], 'organizationId' | 'kind' | 'subject'>;

/** The same caller, kind and target, as long as it is on its way. */
const orderOf = (order: Order, { userId }: { readonly userId: number }, now: Date) => ({
  ...{ ...order, input: {}, contentKey: `${order.subject} for ${userId}`, requestedBy: userId, now },
});

const asked = ({ id: jobId }: { readonly id: string }) => ({
  ...{ status: 202 as const, body: { jobId }, headers: { location: `/api/report-jobs/${jobId}` } },
});
