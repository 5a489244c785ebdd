// The backoffice sets the severity of checks, their thresholds, and which of them are enabled.
import { created } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { prepareChecks, publishChecks } from './publish.ts';
import { ChecksBody, PublishedChecks } from './schemas.ts';

export const qaCheckRoutes = [
  route({
    method: 'post',
    path: '/api/admin/qa/checks-set',
    operation: 'publishQaChecks',
    heavy: true,
    summary: 'Put a new version of the checks in force',
    tag: 'quality',
    allow: ['RUN_BACKOFFICE', 'SUPER_ADMIN'],
    scope: platformData,
    demo: 'blocked',
    body: ChecksBody,
    answers: { 201: PublishedChecks },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) => prepareChecks(services, trx, body, now),
    run: async ({ services, trx, actor, prepared }) =>
      created(await publishChecks(services, trx, prepared, actor.userId)),
  }),
];
