// The rules workbench as a capability: rules are changed, reviewed, put in force, explained and replayed.

import { longJobs } from '#core/long-jobs/index.ts';
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { clockCorrected } from '#rules/rulesets/index.ts';
import { recomputeModel } from './activation/recompute.ts';
import { activationRoutes } from './activation/routes.ts';
import { runDueActivations, scheduleRefused } from './activation/schedule.ts';
import { auditedRules } from './audit/audited.ts';
import { ruleAuditRoutes } from './audit/routes.ts';
import { commentRoutes } from './change-answers/comment-routes.ts';
import { approvalSchemas, readReportLife } from './change-answers/report-age.ts';
import { changeRoutes } from './change-answers/routes.ts';
import { constantRoutes } from './constants/routes.ts';
import { explainRoutes } from './explain/routes.ts';
import { impactRoutes } from './impact/routes.ts';
import { impactModel } from './impact/steps/model.ts';
import { jobRoutes } from './jobs/routes.ts';
import { ledgerJobs } from './ledger/attest.ts';
import { rewardLedgerJobs, xpWithoutEvent } from './ledger/rewards.ts';
import { liveRoutes } from './live/routes.ts';
import { sseRuleRoutes } from './proposals/routes.ts';
import { workbenchProbes } from './qa.ts';
import { queueBoardRoutes } from './queue-board/routes.ts';
import { referenceMismatch } from './reference-engine/fallback.ts';
import { attestationBroken, replayMismatch } from './replays/attestation.ts';
import { replayModel } from './replays/model.ts';
import { replayJobs } from './replays/nightly.ts';
import { replayRoutes } from './replays/routes.ts';
import { reviewRoutes } from './review/routes.ts';
import { ruleSetRoutes } from './rule-sets/routes.ts';
import { transferRoutes } from './transfer/routes.ts';

/** A schedule comes into force at most this long after it is due. */
const activationTickMs = 1_000;

export const workbenchCapability: Capability = {
  name: 'workbench',
  probes: workbenchProbes,
  routes: ({ capabilities }) => [
    ...[
      ...transferRoutes,
      ...ruleSetRoutes,
      ...activationRoutes,
      ...changeRoutes,
      ...commentRoutes,
      ...reviewRoutes,
      ...constantRoutes,
    ],
    ...[...impactRoutes(capabilities), ...liveRoutes],
    ...explainRoutes(capabilities),
    ...[...replayRoutes, ...ruleAuditRoutes, ...sseRuleRoutes, ...queueBoardRoutes, ...jobRoutes],
  ],
  ...mergeJobs([
    longJobs([impactModel, replayModel, recomputeModel]),
    replayJobs,
    ledgerJobs,
    rewardLedgerJobs,
    { schedules: [{ name: 'rule-activations', everyMs: activationTickMs, run: runDueActivations }] },
  ]),
  documentSchemas: approvalSchemas,
  ruleReaders: [readReportLife],
  audited: auditedRules,
  alerts: [clockCorrected, scheduleRefused, referenceMismatch, replayMismatch, attestationBroken, xpWithoutEvent],
};
