// The events that may contain growth, and a sweep for candidates that came too early or were lost.

import { cbmTrendChanged, orfScored } from '#assessment/measurement/index.ts';
import { macroUpdated } from '#assessment/skill-status/index.ts';
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { sweptJobs } from '#core/module/request-queue.ts';
import { bundleCompleted, scaffoldStepUp, stepGoalMet } from '#support/interventions/index.ts';
import { skillStateUp } from '#support/rti/index.ts';
import { masteryStudents, overdueCandidates, storeCandidates } from './candidates.ts';
import { serveMastery } from './serve.ts';

export const emissionJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'mastery-of-runs',
      to: [macroUpdated],
      toJobs: (trx, events) =>
        storeCandidates(
          trx,
          events.filter(({ payload }) => hasDecided(payload)),
        ),
    }),
    reaction({
      name: 'mastery-of-trends',
      to: [cbmTrendChanged],
      toJobs: (trx, events) =>
        storeCandidates(
          trx,
          events.filter(({ payload }) => payload.trendType === 'trend_above_goal'),
        ),
    }),
    reaction({
      name: 'mastery-of-growth',
      to: [skillStateUp, orfScored, stepGoalMet, scaffoldStepUp, bundleCompleted],
      toJobs: storeCandidates,
    }),
  ],
  ...sweptJobs(
    masteryStudents,
    { concurrency: 2, priority: 'following', sweep: 'mastery-sweep', serve: serveMastery },
    overdueCandidates,
  ),
};

interface RunPayload {
  readonly skills: readonly { readonly status: string | null }[];
  readonly domains: readonly { readonly status: string | null }[];
}

/** Most runs decide nothing new and create no candidate. */
const hasDecided = ({ skills, domains }: RunPayload): boolean =>
  [...skills, ...domains].some(({ status }) => status !== null);
