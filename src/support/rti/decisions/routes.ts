// Routes of decisions about a student's tier: commit one, list earlier ones.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { commitDecision } from './commit.ts';
import { listDecisions } from './lists.ts';
import { DecisionBody, DecisionList, DecisionQuery, NotDecided, TierDecisionView } from './schemas.ts';

const ofStudent = {
  path: '/api/rti/students/:id/decisions',
  tag: 'rti',
  allow: ['VIEW_OWN_CLASSES'],
  params: idParams,
} as const;

export const decisionRoutes = [
  route({
    ...ofStudent,
    method: 'post',
    operation: 'commitRtiDecision',
    summary: 'Decide about the student’s tier; off the recommendation only with a reason, past the gate never',
    scope: studentInReach(teachersAndAdmins),
    demo: 'blocked',
    body: DecisionBody,
    answers: { 200: NotDecided, 201: TierDecisionView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: commitDecision,
  }),
  route({
    ...ofStudent,
    method: 'get',
    operation: 'listRtiDecisions',
    summary: 'What was decided about the student’s tier, newest first',
    scope: studentInReach(),
    demo: 'read',
    query: DecisionQuery,
    answers: { 200: DecisionList },
    run: async ({ trx, scope, query }) => ok(await listDecisions(trx, scope, query)),
  }),
];
