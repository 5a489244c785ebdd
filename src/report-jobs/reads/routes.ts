// A document that was asked for: how far it is, and its file.
import { ok } from '../../http/answers.ts';
import { route } from '../../kernel/route.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { findReportFile, stateAt } from '../rows/store.ts';
import { presentReport } from './present.ts';
import { jobParams, ReportFileBytes, ReportJobView } from './schemas.ts';
import { reportInReach } from './scopes.ts';

const reading = {
  method: 'get',
  tag: 'report-jobs',
  allow: ['VIEW_OWN_CLASSES', 'VIEW_ORG_AGGREGATES'],
  scope: reportInReach,
  demo: 'read',
  params: jobParams,
} as const;

export const reportRoutes = [
  route({
    ...reading,
    path: '/api/report-jobs/:jobId',
    operation: 'getReportJob',
    summary: 'How far a document is that a worker renders',
    answers: { 200: ReportJobView },
    run: async ({ scope, now }) => ok(presentReport(scope, now)),
  }),
  route({
    ...reading,
    path: '/api/report-jobs/:jobId/file',
    operation: 'getReportJobFile',
    summary: 'The file of a document',
    answers: { 200: ReportFileBytes },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, now }) => {
      const state = stateAt(scope, now);
      if (state === 'failed') throw conflict('failed', 'This document could not be rendered.');
      if (state === 'queued' || state === 'running') throw conflict('not_ready', 'This document is not rendered yet.');
      const file = state === 'done' ? await findReportFile(trx, scope) : undefined;
      if (!file) throw notFound();
      const headers = {
        'content-type': file.contentType,
        'content-disposition': `attachment; filename="${file.fileName}"`,
        'cache-control': 'private, no-store',
      };
      return { ...ok(file.bytes), headers };
    },
  }),
];
