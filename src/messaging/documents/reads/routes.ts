// The routes of a requested document: its progress and its file.
import { ok } from '#core/http/answers.ts';
import type { ComposedCapabilities } from '#core/module/capability.ts';
import { route } from '#core/module/route.ts';
import { reportKindOf, sharedDisclosures, sharedKinds } from '../services.ts';
import { reportFileAnswer } from './file-answer.ts';
import { presentReport } from './present.ts';
import { jobParams, ReportFileBytes, reportJobView } from './schemas.ts';
import { reportInReach } from './scopes.ts';

const reading = {
  method: 'get',
  tag: 'report-jobs',
  allow: ['VIEW_OWN_CLASSES', 'VIEW_ORG_AGGREGATES'],
  scope: reportInReach,
  demo: 'read',
  params: jobParams,
} as const;

export const reportRoutes = ({ capabilities }: Pick<ComposedCapabilities, 'capabilities'>) => [
  route({
    ...reading,
    path: '/api/report-jobs/:jobId',
    operation: 'getReportJob',
    summary: 'How far a document is that a worker renders',
    answers: { 200: reportJobView(sharedKinds(capabilities)) },
    run: async ({ services, scope, now }) => ok(presentReport(services, scope, now)),
  }),
  route({
    ...reading,
    path: '/api/report-jobs/:jobId/file',
    operation: 'getReportJobFile',
    summary: 'The file of a document',
    discloses: sharedDisclosures(capabilities),
    answers: { 200: ReportFileBytes },
    errors: ['CONFLICT'],
    run: ({ services, trx, scope, now }) => reportFileAnswer(trx, scope, reportKindOf(services, scope.kind), now),
  }),
];
