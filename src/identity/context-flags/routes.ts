// Routes of context flags: codes of a closed dictionary about a student's situation.
import { created, ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach, teachersAndAdmins } from '../people/index.ts';
import { listFlags } from './queries.ts';
import { ContextFlagPage, ContextFlagQuery, ContextFlagView, SetFlagBody, setFlagNames } from './schemas.ts';
import { refuseFreeText } from './writes/refusals.ts';
import { setFlag } from './writes/set-flag.ts';

const common = {
  tag: 'language safety',
  allow: ['VIEW_OWN_CLASSES'] as const,
  scope: studentInReach(teachersAndAdmins),
  params: idParams,
};

export const contextFlagRoutes = [
  route({
    ...common,
    method: 'post',
    path: '/api/students/:id/context-flag',
    operation: 'setContextFlag',
    summary: 'Set, change or end a context flag of the dictionary; a newer one of the same code replaces it',
    demo: 'blocked',
    beforeBodyValidation: (sent) => refuseFreeText(sent, setFlagNames),
    body: SetFlagBody,
    answers: { 201: ContextFlagView },
    errors: ['CONTEXT_FLAG_BLOCKED', 'context_flag_blocked', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, actor }) =>
      created(await setFlag(services, trx, scope, body, actor.userId)),
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/students/:id/context-flags',
    operation: 'listContextFlags',
    summary: 'Every context flag that was set for the student, newest first; ended and replaced ones too',
    demo: 'read',
    query: ContextFlagQuery,
    answers: { 200: ContextFlagPage },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, query, now }) => ok(await listFlags(services, trx, scope, query, now)),
  }),
];
