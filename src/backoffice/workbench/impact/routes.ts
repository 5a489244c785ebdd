// Starts, reads and cancels impact jobs.
import { ok } from '#core/http/answers.ts';
import { cancelJob, findJob } from '#core/long-jobs/index.ts';
import type { Capability } from '#core/module/capability.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { notFound } from '#core/platform/errors.ts';
import { simulatorsOf } from '#rules/rulesets/index.ts';
import { changeInPath, changeParams, changePath } from '../changes/scopes.ts';
import { presentImpact } from './present.ts';
import { ImpactBody, ImpactStarted, impactParams, impactView } from './schemas.ts';
import { startImpact, usableChange } from './start.ts';

const tag = 'rules workbench';

export function impactRoutes(capabilities: readonly Capability[]) {
  const simulators = simulatorsOf(capabilities);
  const ImpactView = impactView(simulators);
  return [
    route({
      method: 'post',
      path: `${changePath}/impact`,
      operation: 'startChangeImpact',
      heavy: true,
      summary: 'Work out what would change for whom if a change were in force',
      tag,
      allow: ['PUBLISH_RULES'],
      scope: changeInPath,
      demo: 'read',
      params: changeParams,
      body: ImpactBody,
      answers: { 202: ImpactStarted },
      errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
      prepare: async ({ trx, services, scope: change, now }) => usableChange(trx, services, change, now),
      run: async ({ trx, services, scope: change, body: { scope, asOf }, actor: { userId }, prepared, now }) => {
        const jobId = await startImpact(trx, services, { change, scope, asOf, requestedBy: userId }, prepared, now);
        return { status: 202 as const, body: { jobId } };
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/impact/:jobId',
      operation: 'getImpact',
      summary: 'Progress of an impact, and its report once it is done',
      tag,
      allow: ['RUN_BACKOFFICE'],
      scope: platformData,
      demo: 'read',
      params: impactParams,
      answers: { 200: ImpactView },
      run: async ({ trx, params: { jobId } }) => {
        const job = await findJob(trx, 'impact', jobId);
        if (!job) throw notFound();
        return ok(presentImpact(job, simulators));
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/impact/:jobId/cancel',
      operation: 'cancelImpact',
      summary: 'Call off an impact that is waiting or running',
      tag,
      allow: ['PUBLISH_RULES'],
      scope: platformData,
      demo: 'blocked',
      params: impactParams,
      answers: { 200: ImpactView },
      errors: ['CONFLICT'],
      run: async ({ trx, params: { jobId }, now }) => {
        const job = await findJob(trx, 'impact', jobId);
        if (!job) throw notFound();
        return ok(presentImpact(await cancelJob(trx, job, now), simulators));
      },
    }),
  ];
}
