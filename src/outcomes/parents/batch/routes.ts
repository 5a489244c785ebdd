// Routes that start a batch of a class's letters, report its progress and return its file.
import Type, { type Static } from 'typebox';
import { ok } from '#core/http/answers.ts';
import { Count, Cuid, cuidParams, IntegerId, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { classInReach, enterOrganization, findClassInReach, teachersAndAdmins } from '#identity/people/index.ts';
import {
  type KnownReport,
  ReportFailureCode,
  ReportFileBytes,
  ReportProgress,
  ReportStateName,
  reportFileAnswer,
  reportStateAt,
  reportsWithFiles,
  requestReport,
} from '#messaging/documents/index.ts';
import { rulesAt } from '../facts/family-facts.ts';
import { renderForFamily } from '../render-for-family.ts';
import { studentsOfClass } from './class-list.ts';
import { parentLetters } from './parent-letters.ts';

const BatchView = named(
  'ParentLetterBatch',
  object({
    batchId: Cuid,
    classId: IntegerId,
    state: ReportStateName,
    progress: ReportProgress,
    counts: object({ letters: Count, needsMoreData: Count }),
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    failureCode: nullable(ReportFailureCode),
    fileUrl: Type.Optional(Type.String()),
  }),
);

const common = { tag: 'parents', allow: ['VIEW_OWN_CLASSES'] } as const;

/** A batch of a class that the caller teaches or administers. */
const batchInReach: AppScope<KnownReport> = {
  reach: 'C (ClassTeacher, admin)',
  resolve: async ({ trx, actor, params }) => {
    const own = actor.organizationId === null ? {} : { organizationId: actor.organizationId };
    const job = { ...own, id: params.id ?? '', kind: parentLetters.kind };
    const ofClass = trx('report_job as j')
      .join('class as k', (on) =>
        on.on('k.organizationId', 'j.organizationId').andOn(trx.raw('k.id::text = j.subject')),
      )
      .where(Object.fromEntries(Object.entries(job).map(([column, value]) => [`j.${column}`, value])))
      .select('k.id');
    const [row, { organization }] = await Promise.all([
      reportsWithFiles(trx).findOne(job),
      findClassInReach({ trx, actor }, ofClass, teachersAndAdmins),
    ]);
    if (!row) throw notFound();
    return { row: row as KnownReport, ...(organization && { organization }) };
  },
};

/** Counts before the facts are read. */
const nothingCounted = { letters: 0, needsMoreData: 0 };

function presentBatch(job: KnownReport, now: Date): Static<typeof BatchView> {
  const state = reportStateAt(job, now);
  const { id: batchId, subject, done, total, createdAt, finishedAt, expiresAt, failureCode } = job;
  return {
    ...{ batchId, classId: Number(subject), state, progress: { done, total } },
    counts: { ...nothingCounted, ...job.counts },
    ...{ createdAt, finishedAt, expiresAt, failureCode },
    ...(state === 'done' && { fileUrl: `/api/parent/pdf-batches/${batchId}/file` }),
  };
}

const reading = { ...common, method: 'get', scope: batchInReach, demo: 'read', params: cuidParams } as const;

export const batchRoutes = [
  route({
    ...common,
    method: 'post',
    path: '/api/parent/pdf-batches',
    operation: 'startParentPdfBatch',
    summary: 'Let the letters to the families of a class be rendered, in one file',
    scope: ownOrganization,
    demo: 'blocked',
    body: object({ classId: IntegerId }),
    answers: { 202: named('ParentLetterBatchStarted', object({ batchId: Cuid })) },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const { services, trx, actor, body, now } = ctx;
      const params = { id: String(body.classId) };
      const { row } = await classInReach(teachersAndAdmins).resolve({ services, trx, actor, params, now });
      const { organizationId, id: classId } = row;
      await enterOrganization(ctx, organizationId);
      renderForFamily((await rulesAt({ services, trx, now })).bundle);
      const students = await studentsOfClass(trx, { organizationId, classId });
      if (students.length === 0) throw conflict('no_students', 'There is no student in this class.', 'classId');
      const job = await requestReport(trx, {
        ...{ organizationId, kind: parentLetters, subject: String(classId), input: {}, requestedBy: actor.userId, now },
        contentKey: `${actor.userId}:${classId}`,
      });
      const location = `/api/parent/pdf-batches/${job.id}`;
      return { status: 202 as const, body: { batchId: job.id }, headers: { location } };
    },
  }),
  route({
    ...reading,
    path: '/api/parent/pdf-batches/:id',
    operation: 'getParentPdfBatch',
    summary: 'How far the letters of a class are',
    answers: { 200: BatchView },
    run: async ({ scope, now }) => ok(presentBatch(scope, now)),
  }),
  route({
    ...reading,
    path: '/api/parent/pdf-batches/:id/file',
    operation: 'getParentPdfBatchFile',
    summary: 'The letters of a class: one PDF, each letter on a sheet of its own',
    discloses: [parentLetters.discloses],
    answers: { 200: ReportFileBytes },
    errors: ['CONFLICT'],
    run: ({ trx, scope, now }) => reportFileAnswer(trx, scope, parentLetters, now),
  }),
];
