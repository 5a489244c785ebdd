// Routes of lesson papers: requests, recent papers, and the offline pack as PDF.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { unavailable } from '#core/platform/errors.ts';
import { requestOwner } from '#core/platform/pdf/printer.ts';
import { classInReach, staff } from '#identity/people/index.ts';
import { packDisclosure } from '../offline/pack.ts';
import { lessonInReach, lessonToChange } from '../reads/scopes.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import { fileNameOf } from './kind.ts';
import { printPack } from './print.ts';
import { readPaper } from './read-paper.ts';
import { recentPapers } from './recent-papers.ts';
import { requestPapers } from './request-papers.ts';
import { PapersBody, PapersRequested, Pdf, RecentList, RecentQuery } from './schemas.ts';

const common = { tag: 'sessions', allow: ['VIEW_OWN_CLASSES'] } as const;

export const lessonPaperRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/api/sessions/recently-generated',
    operation: 'listRecentlyGenerated',
    summary: 'Papers of a class’s sessions that are ready to be printed, newest first',
    scope: ownOrganization,
    demo: 'read',
    query: RecentQuery,
    answers: { 200: RecentList },
    errors: ['NOT_FOUND'],
    run: async (ctx) => {
      const { trx, query, now } = ctx;
      const { row } = await classInReach(staff).resolve({ ...ctx, params: { id: String(query.classId) } });
      return ok(await recentPapers(trx, row, query, now));
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/api/sessions/:id/generate-pdfs',
    operation: 'generateSessionPdfs',
    heavy: true,
    summary: 'Let papers of a session be rendered: sheets for students, a guide for the teacher, the key',
    scope: lessonToChange,
    demo: 'blocked',
    params: cuidParams,
    body: PapersBody,
    answers: { 202: PapersRequested },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const requested = await requestPapers(ctx);
      return { status: 202 as const, body: requested, headers: { location: `/api/report-jobs/${requested.jobId}` } };
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/sessions/:id/offline-pack/file',
    operation: 'getSessionOfflinePackFile',
    heavy: true,
    summary: 'A day without network on paper (PDF, A4): guide, key and a sheet for each student',
    scope: lessonInReach,
    demo: 'read',
    params: cuidParams,
    discloses: ['pack'],
    answers: { 200: Pdf },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, actor, scope, now }) => {
      requireAcceptedCall('offline', scope.lesson);
      const { paper, isSafe } = await readPaper({ services, trx, now }, scope.lesson);
      if (!isSafe) throw unavailable('A sentence of this lesson does not pass the language rules.');
      return () => printPack(paper, requestOwner(actor));
    },
    run: async ({ trx, scope, prepared, now }) => {
      requireAcceptedCall('offline', scope.lesson);
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${await fileNameOf(trx, scope.lesson, now)}.pdf"`,
        'cache-control': 'private, no-store',
      };
      return { ...ok(prepared), headers, discloses: [packDisclosure(scope.lesson)] };
    },
  }),
];
