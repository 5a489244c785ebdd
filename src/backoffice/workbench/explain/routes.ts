// Explains a stored result to the backoffice. The result is read in the context of its organization, whichever that is.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { object } from '#core/http/schemas.ts';
import type { Capability } from '#core/module/capability.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import { explainedView, explainStamp } from './explainers.ts';

const stampParams = object({
  stampId: Type.String({
    maxLength: 133,
    pattern: '^[a-z][a-z-]{0,31}:[A-Za-z0-9._:-]{1,100}$',
    description:
      'Kind and id of the stored row: `skill:17`, `domain:4`, `tile:<runId>.FLUENCY`, `run:<runId>`, `rbm:8`, ' +
      '`subflag:<studentId>.<schoolYear>.<patternKey>`, `trend:3`, `notification:<id>`, `mastery:5`, ' +
      '`badge:6`.',
  }),
});

export const explainRoutes = (capabilities: readonly Capability[]) => [
  route({
    method: 'get',
    path: '/api/admin/explain/:stampId',
    operation: 'explainResult',
    heavy: true,
    summary: 'Why a stored result is what it is, down to the responses',
    tag: 'rules workbench',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    params: stampParams,
    answers: { 200: explainedView(capabilities) },
    prepare:
      async ({ services, params }) =>
      () =>
        explainStamp(readTransactionIn(services.db, 'SUPER'), services, params.stampId),
    run: async ({ prepared }) => ok(prepared),
  }),
];
