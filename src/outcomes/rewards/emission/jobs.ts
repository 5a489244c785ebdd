// What lets growth be judged: the events that may tell of it, and a sweep for what came too early or was lost.

import { cbmTrendChanged, orfScored } from '#assessment/measurement/index.ts';
import { macroUpdated } from '#assessment/skill-status/index.ts';
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { bundleCompleted, scaffoldStepUp, stepGoalMet } from '#support/interventions/index.ts';
import { skillStateUp } from '#support/rti/index.ts';
import { keepCandidates, masteryQueue, overdueCandidates } from './candidates.ts';
import { serveMastery } from './serve.ts';

const sweepEveryMs = 5_000;
/** A job that is only slow is not added twice: its id keeps it unique while it waits. */
const overdueAfterMs = 10_000;
const sweepLimit = 1_000;

export const emissionJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'mastery-of-runs',
      to: [macroUpdated],
      toJobs: (trx, events) =>
        keepCandidates(
          trx,
          events.filter(({ payload }) => hasDecided(payload)),
        ),
    }),
    reaction({
      name: 'mastery-of-trends',
      to: [cbmTrendChanged],
      toJobs: (trx, events) =>
        keepCandidates(
          trx,
          events.filter(({ payload }) => payload.trendType === 'trend_above_goal'),
        ),
    }),
    reaction({
      name: 'mastery-of-growth',
      to: [skillStateUp, orfScored, stepGoalMet, scaffoldStepUp, bundleCompleted],
      toJobs: keepCandidates,
    }),
  ],
  handlers: [
    {
      queue: masteryQueue,
      concurrency: 2,
      turn: 'following',
      handle: (services, { organizationId, studentIds }) =>
        serveMastery(services, String(organizationId), String(studentIds).split(',').map(Number)),
    },
  ],
  schedules: [
    {
      name: 'mastery-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db, clock }, queues) => {
        const now = clock.now();
        await queues.add(
          await inContext(db, 'SUPER', (trx) => overdueCandidates(trx, now, overdueAfterMs, sweepLimit)),
        );
      },
    },
  ],
};

interface RunPayload {
  readonly skills: readonly { readonly status: string | null }[];
  readonly domains: readonly { readonly status: string | null }[];
}

/** Runs of many students that decided nothing anew ask nobody. */
const hasDecided = ({ skills, domains }: RunPayload): boolean =>
  [...skills, ...domains].some(({ status }) => status !== null);
