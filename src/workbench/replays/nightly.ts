// Every night each organization's next runs are executed again, and the last night's proofs are looked at.
import type { CapabilityJobs } from '../../jobs.ts';
import { inContext, type Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { Services } from '../../services.ts';
import { orderJobs } from '../jobs/store.ts';
import { releasePins } from '../shadow/index.ts';
import { proveChain } from './attestation.ts';
import type { NightlyReplay } from './input.ts';

/** Runs of one organization in one night. */
const most = 500;

export const replayJobs: CapabilityJobs = {
  schedules: [{ name: 'rule-attestation', everyMs: 86_400_000, run: orderNight }],
};

/** An organization whose last night still runs is left out. */
export async function orderNight(services: Services): Promise<void> {
  const { db, clock } = services;
  await releasePins(services);
  await inContext(db, 'SUPER', async (trx) => {
    await proveChain(trx, clock.now());
    const orders = (await organizationsWithRuns(trx)).map(({ organizationId, after, through }) => {
      const input: NightlyReplay = { trigger: 'nightly', after, through, most };
      return { kind: 'replay' as const, organizationId, subject: input.trigger, input, requestedBy: null };
    });
    await orderJobs(trx, clock.now(), orders);
  });
}

interface Turn {
  readonly organizationId: string;
  readonly after: number;
  readonly through: number;
}

/** Each with the newest run, and with the last one that a finished night has come to. */
const organizationsWithRuns = (trx: Trx): Promise<Turn[]> =>
  rowsOf(
    trx,
    `select r.organization_id, r.through, coalesce(j.to_seq, 0) as after
     from (select organization_id, max(seq) as through from sse_run group by organization_id) r
     left join lateral (select (n.report ->> 'toSeq')::bigint as to_seq from rule_job n
       where n.organization_id = r.organization_id and n.kind = 'replay' and n.subject = 'nightly' and n.state = 'done'
       order by n.created_at desc, n.id desc limit 1) j on true
     where not exists (select from rule_job o where o.organization_id = r.organization_id and o.kind = 'replay'
       and o.subject = 'nightly' and o.state in ('queued', 'running'))
     order by r.organization_id`,
    {},
  );
