// Every night each organization's next runs are replayed, and the attestations of the last night are verified.

import { orderJobs } from '#core/long-jobs/index.ts';
import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { releaseFallbacks } from '../reference-engine/fallback.ts';
import { proveChain } from './attestation.ts';
import type { NightlyReplay } from './input.ts';

/** Runs of one organization in one night. */
const most = 500;

/** The chain is verified and fallbacks are released once for the platform; runs are replayed in each organization's night. */
export const replayJobs: CapabilityJobs = {
  daily: [
    { name: 'rule-attestation', dailyAt: 1, of: 'platform', run: proveProofs },
    {
      name: 'nightly-replay',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => orderNight(services, organizationId),
    },
  ],
};

export async function proveProofs(services: Services): Promise<void> {
  const { db, clock } = services;
  await releaseFallbacks(services);
  await inContext(db, 'SUPER', (trx) => proveChain(trx, clock.now()));
}

/** Skips an organization whose last night still runs, and one without runs. */
export async function orderNight({ db, clock }: Services, organizationId: string): Promise<void> {
  await inContext(db, { organizationId }, async (trx) => {
    const [turn] = await nextTurn(trx, organizationId);
    if (!turn) return;
    const input: NightlyReplay = { trigger: 'nightly', ...turn, most };
    const order = { kind: 'replay' as const, organizationId, subject: input.trigger, input, requestedBy: null };
    await orderJobs(trx, clock.now(), [order]);
  });
}

interface Turn {
  readonly after: number;
  readonly through: number;
}

/** Runs after the last one of a finished night, up to the newest one. */
const nextTurn = (trx: Trx, organizationId: string): Promise<Turn[]> =>
  rowsOf(
    trx,
    `select r.through, coalesce(j.to_seq, 0) as after
     from (select max(seq) as through from sse_run where organization_id = :organizationId) r
     left join lateral (select (n.report ->> 'toSeq')::bigint as to_seq from rule_job n
       where n.organization_id = :organizationId and n.kind = 'replay' and n.subject = 'nightly' and n.state = 'done'
       order by n.created_at desc, n.id desc limit 1) j on true
     where r.through is not null and not exists (select from rule_job o where o.organization_id = :organizationId
       and o.kind = 'replay' and o.subject = 'nightly' and o.state in ('queued', 'running'))`,
    { organizationId },
  );
