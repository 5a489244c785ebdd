// Routes of a student's profile for staff.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { listProfiles, readProfile } from './reads.ts';
import { ProfileHistoryQuery, ProfileHistoryView, StudentProfileView } from './schemas.ts';

const ofStudent = {
  method: 'get',
  tag: 'interventions',
  allow: ['VIEW_OWN_CLASSES'],
  scope: studentInReach(),
  demo: 'read',
  params: idParams,
} as const;

export const studentProfileRoutes = [
  route({
    ...ofStudent,
    path: '/api/students/:id/profile',
    operation: 'getProfile',
    summary: 'The profile of a student, with its text for teachers',
    answers: { 200: StudentProfileView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) => ok(await readProfile(services, trx, scope, now)),
  }),
  route({
    ...ofStudent,
    path: '/api/students/:id/profile/history',
    operation: 'listProfileHistory',
    summary: 'Profiles of a student over time, newest first',
    query: ProfileHistoryQuery,
    answers: { 200: ProfileHistoryView },
    run: async ({ trx, scope, query }) => ok(await listProfiles(trx, scope, query)),
  }),
];
