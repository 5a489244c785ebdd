// Routes of oral reading (start, mark, stop) and of repeated probes (record, read the trend, list raw signals).
import { created, ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { staff, studentInReach } from '#identity/people/index.ts';
import { presentProbe, presentStarted, presentStopped, presentTrend } from './present.ts';
import { recordProbe } from './probe.ts';
import { listCbmAlerts, trendOf } from './queries.ts';
import { markWords, stopAssessment } from './reading.ts';
import {
  CbmAlertList,
  CbmAlertQuery,
  MarkBody,
  Marked,
  ProbeBody,
  RecordedProbeView,
  StartBody,
  StartedAssessment,
  StopBody,
  StoppedAssessment,
  Trend,
  TrendQuery,
  trendParams,
} from './schemas.ts';
import { assessmentInReach, studentInBody } from './scopes.ts';
import { startReading } from './start.ts';
import { requireStudentForWrite } from './students.ts';

const writing = { tag: 'fluency', allow: ['USE_DIAGNOSTIC_ENGINE'] as const, demo: 'blocked' as const };
const reading = { tag: 'fluency', allow: ['VIEW_OWN_CLASSES'] as const, demo: 'read' as const };

export const fluencyRoutes = [
  route({
    ...writing,
    method: 'post',
    path: '/api/orf/assessments/start',
    operation: 'startOrfAssessment',
    summary: 'Start an oral reading; one that is still open is abandoned',
    scope: studentInBody,
    body: StartBody,
    answers: { 201: StartedAssessment },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const { services, trx, body, now } = ctx;
      const student = await requireStudentForWrite(ctx, body.studentId);
      return created(presentStarted(await startReading(services, trx, student, body.passageId, now)));
    },
  }),
  route({
    ...writing,
    method: 'post',
    path: '/api/orf/assessments/:id/mark',
    operation: 'markOrfAssessment',
    summary: 'Mark words; the last mark of a word holds',
    scope: assessmentInReach,
    params: cuidParams,
    body: MarkBody,
    answers: { 200: Marked },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, now }) =>
      ok({ marked: await markWords(services, trx, scope.id, body.marks, now) }),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/api/orf/assessments/:id/stop',
    operation: 'stopOrfAssessment',
    summary: 'Stop the reading and score it',
    scope: assessmentInReach,
    params: cuidParams,
    body: StopBody,
    answers: { 200: StoppedAssessment },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, now }) =>
      ok(presentStopped(await stopAssessment(services, trx, scope.id, body, now))),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/api/cbm/probes',
    operation: 'recordCbmProbe',
    summary: 'Add a scored reading, or one from paper, to the student’s series',
    scope: studentInBody,
    body: ProbeBody,
    answers: { 201: RecordedProbeView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const { services, trx, body, now } = ctx;
      const student = await requireStudentForWrite(ctx, body.studentId);
      return created(presentProbe(await recordProbe(services, trx, student, body, now)));
    },
  }),
  route({
    ...reading,
    method: 'get',
    path: '/api/cbm/trend/:studentId',
    operation: 'getCbmTrend',
    summary: 'Baseline, goal, aim line and growth of a student',
    scope: studentInReach(staff, 'studentId'),
    params: trendParams,
    query: TrendQuery,
    answers: { 200: Trend },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, query, now }) =>
      ok(presentTrend(await trendOf(services, trx, scope, query, now))),
  }),
  route({
    ...reading,
    method: 'get',
    path: '/api/cbm/alerts',
    operation: 'listCbmAlerts',
    summary: 'Raw signals of students in reach, newest first',
    scope: anySignedIn,
    query: CbmAlertQuery,
    answers: { 200: CbmAlertList },
    run: async ({ trx, actor, query }) => ok(await listCbmAlerts(trx, actor, query)),
  }),
];
