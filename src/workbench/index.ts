// What the composition root and the workers need of the rules workbench.
import type { CapabilityJobs } from '../kernel/jobs.ts';
import { longJobs } from '../long-jobs/index.ts';
import { recomputeModel } from './activation/recompute.ts';
import { activationRoutes } from './activation/routes.ts';
import { runDueActivations } from './activation/schedule.ts';
import { ruleAuditRoutes } from './audit/routes.ts';
import { draftRoutes } from './drafts/routes.ts';
import { explainRoutes } from './explain/routes.ts';
import { impactModel, impactRoutes } from './impact/index.ts';
import { ledgerJobs } from './ledger/attest.ts';
import { sseRuleRoutes } from './proposals/routes.ts';
import { replayJobs, replayModel, replayRoutes } from './replays/index.ts';
import { reviewRoutes } from './review/routes.ts';
import { ruleSetRoutes } from './rule-sets/routes.ts';
import { transferRoutes } from './transfer/routes.ts';

export { type Attester, createAttester } from './ledger/attest.ts';

export const workbenchRoutes = [
  ...transferRoutes,
  ...ruleSetRoutes,
  ...activationRoutes,
  ...draftRoutes,
  ...reviewRoutes,
  ...impactRoutes,
  ...explainRoutes,
  ...replayRoutes,
  ...ruleAuditRoutes,
  ...sseRuleRoutes,
];

/** A schedule comes into force at most this long after its moment. */
const activationTickMs = 1_000;

export const workbenchJobs: readonly CapabilityJobs[] = [
  longJobs([impactModel, replayModel, recomputeModel]),
  replayJobs,
  ledgerJobs,
  { schedules: [{ name: 'rule-activations', everyMs: activationTickMs, run: runDueActivations }] },
];
