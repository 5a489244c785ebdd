// Routes of the school year: a school with its state, which moves into the new one, and back while nothing rests on it.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty, idParams } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { organizationOf, schoolInOrganization, schoolInReach } from '../reach/scopes.ts';
import { SchoolRollOver } from '../records/organizations.ts';
import { presentRollOver, presentSchoolDetail } from './present.ts';
import { schoolYearState } from './queries.ts';
import { previewRollOver, rollOverSchool } from './roll-over.ts';
import { RollOverBody, RollOverView, SchoolDetail, UndoneView } from './schemas.ts';
import { undoRollOver } from './undo.ts';

const writing = { method: 'post', tag: 'tenancy', allow: ['MANAGE_ROSTER'], demo: 'blocked', heavy: true } as const;

/** A roll-over of the organization. */
const rollOverInOrganization: AppScope<SchoolRollOver> = {
  reach: 'O',
  resolve: async (request) => {
    const id = Number(request.params.id);
    const row = Number.isSafeInteger(id) ? await SchoolRollOver.query(request.trx).findOne({ id }) : undefined;
    if (!row) throw notFound();
    return { row, organization: await organizationOf(request, row.organizationId) };
  },
};

export const schoolYearRoutes = [
  route({
    method: 'get',
    path: '/api/schools/:id',
    operation: 'getSchool',
    summary: 'One school, with its students between classes and its last roll-over',
    tag: 'tenancy',
    allow: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: schoolInReach,
    demo: 'read',
    params: cuidParams,
    answers: { 200: SchoolDetail },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) =>
      ok(presentSchoolDetail(scope, await schoolYearState(services, trx, scope, now))),
  }),
  route({
    ...writing,
    path: '/api/schools/:id/roll-over',
    operation: 'rollOverSchool',
    summary: 'Move the classes and students of last year into the current school year',
    scope: schoolInOrganization,
    params: cuidParams,
    body: RollOverBody,
    answers: { 200: RollOverView, 201: RollOverView },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, actor, scope: school, body: input }) => {
      const call = { services, trx, actor, school, input };
      if (input.dryRun === true) return ok(presentRollOver(await previewRollOver(call)));
      return created(presentRollOver(await rollOverSchool(call)));
    },
  }),
  route({
    ...writing,
    path: '/api/school-roll-overs/:id/undo',
    operation: 'undoRollOver',
    summary: 'Undo a roll-over after which no moved student was measured, taught or decided about',
    scope: rollOverInOrganization,
    params: idParams,
    body: Empty,
    answers: { 200: UndoneView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, scope: rollOver }) => {
      const { removedClassIds, keptClassIds, ...undone } = await undoRollOver({ services, trx, actor, rollOver });
      return ok({ ...undone, removedClassIds: [...removedClassIds], keptClassIds: [...keptClassIds] });
    },
  }),
];
