// Every night the ledgers of rewards are derived again from the mastery events, and the result is appended to the chain of
// attestations.
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { type LedgersReplay, replayLedgers } from '#outcomes/rewards/index.ts';
import { appendAttestation, replayMismatch } from '../replays/attestation.ts';

export const xpWithoutEvent: AlertKind = {
  kind: 'qa',
  code: 'XP_WITHOUT_EVENT',
  severity: 'critical',
  subject: 'xp_transaction',
  summary: 'XP were booked under no mastery event.',
};

/** An organization without a row in the ledgers has nothing to attest. */
export async function attestRewards(services: Services, organizationId: string): Promise<void> {
  const night = await replayLedgers(services, organizationId);
  if (night.students === 0) return;
  await inContext(services.db, 'SUPER', async (trx) => {
    await appendAttestation(trx, services.clock, (now) => ({
      rewards: { organizationId, at: now.toISOString(), ...night },
    }));
    await raise(trx, organizationId, night);
  });
}

async function raise(trx: Trx, organizationId: string, night: LedgersReplay): Promise<void> {
  const { asOf: at, drifted, driftedStudentIds } = night;
  const own = { organizationId, at };
  if (drifted > 0) {
    const details = { ledgers: 'rewards', drifted, studentIds: driftedStudentIds };
    await openAlert(trx, replayMismatch, { ...own, subjectId: `rewards of ${organizationId}`, details });
  }
  if (night.xpWithoutEvent > 0) {
    const details = { rows: night.xpWithoutEvent };
    await openAlert(trx, xpWithoutEvent, { ...own, subjectId: `all of ${organizationId}`, details });
  }
}

export const rewardLedgerJobs: CapabilityJobs = {
  daily: [
    {
      name: 'reward-ledger-replay',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => attestRewards(services, organizationId),
    },
  ],
};
