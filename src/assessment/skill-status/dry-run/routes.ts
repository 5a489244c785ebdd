// Route of the dry run for the backoffice: any window, any proposed rules, no writes.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { dryRun } from './dry-run.ts';
import { DryRunBody, DryRunView } from './schemas.ts';

export const dryRunRoutes = [
  route({
    method: 'post',
    path: '/api/sse/admin/dry-run-replay',
    operation: 'dryRunSseReplay',
    heavy: true,
    summary: 'Evaluate a window of a student’s evidence again, with proposed rules on request; writes nothing',
    tag: 'skill status',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    readOnly: true,
    body: DryRunBody,
    answers: { 200: DryRunView },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body, now, log }) => {
      const answer = await dryRun(services, trx, body, now);
      const { studentId, storedRunId } = answer;
      for (const one of answer.mismatches) log.info({ studentId, storedRunId, ...one }, 'sse.replay.mismatch');
      return ok(answer);
    },
  }),
];
