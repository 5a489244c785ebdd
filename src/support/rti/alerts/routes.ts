// Routes of alerts for staff: lists, acknowledge, dismiss.
import { ok } from '#core/http/answers.ts';
import { classParams, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { classInReach, staff, studentInReach } from '#identity/people/index.ts';
import { acknowledge, dismissAlert } from './answer.ts';
import { classAlerts, studentAlerts } from './lists.ts';
import { AlertView, alertParams, ClassAlertQuery, DismissBody, RtiAlertList, StudentAlertQuery } from './schemas.ts';
import { alertToWriteAbout } from './scopes.ts';

const common = { tag: 'rti', allow: ['VIEW_OWN_CLASSES'] } as const;
const reading = { ...common, method: 'get', demo: 'read', errors: ['ENGINE_UNAVAILABLE'] } as const;
const writing = {
  ...common,
  method: 'post',
  demo: 'blocked',
  scope: alertToWriteAbout,
  params: alertParams,
  answers: { 200: AlertView },
  errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
} as const;

export const alertRoutes = [
  route({
    ...reading,
    path: '/api/rti/students/:id/alerts',
    operation: 'listStudentAlerts',
    summary: 'Every alert of a student, newest first',
    scope: studentInReach(),
    params: idParams,
    query: StudentAlertQuery,
    answers: { 200: RtiAlertList },
    run: async (ctx) => ok(await studentAlerts(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...reading,
    path: '/api/rti/classes/:classId/alerts',
    operation: 'listClassAlerts',
    heavy: true,
    summary: 'Open alerts of the students of a class, most severe first, then by age',
    scope: classInReach(staff, 'classId'),
    params: classParams,
    query: ClassAlertQuery,
    answers: { 200: RtiAlertList },
    run: async (ctx) => ok(await classAlerts(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...writing,
    path: '/api/rti/alerts/:alertId/acknowledge',
    operation: 'acknowledgeAlert',
    summary: 'Say that an open alert has been seen; twice is once',
    run: async (ctx) => ok(await acknowledge(ctx)),
  }),
  route({
    ...writing,
    path: '/api/rti/alerts/:alertId/dismiss',
    operation: 'dismissAlert',
    summary: 'Put an open alert aside for a while, with a reason; the two most severe kinds stay open',
    body: DismissBody,
    run: async (ctx) => ok(await dismissAlert(ctx)),
  }),
];
