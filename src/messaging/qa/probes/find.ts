// Runs a probe. A runtime check leaves out what has been reported within the hour, so that all findings are reported in turn,
// the first ones of each organization at every run.
import { inReadOnlyContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Found, type Looking, maxNamed, type ProbeFinding, type Search } from './probe.ts';

/** `organizationId` null: all organizations, or the platform. */
export async function find(
  probe: Search,
  looking: Looking,
  organizationId: string | null,
  queues: Queues | undefined,
): Promise<Found> {
  if ('look' in probe) return probe.look(looking, queues);
  const { services, now, threshold } = looking;
  const context = organizationId === null ? ('SUPER' as const) : { organizationId };
  const isRuntime = probe.kind === 'runtime';
  const bind = typeof probe.bind === 'function' ? await probe.bind(looking) : probe.bind;
  return inReadOnlyContext(services.db, context, async (trx) => {
    const rows = await rowsOf<ProbeFinding & { readonly violations: number }>(
      trx,
      `select f.organization_id, f.id, f.student_id, (count(*) over ())::integer as violations
       from (${probe.findings}) f ${isRuntime ? notReported : ''}
       order by row_number() over (partition by f.organization_id order by f.id), f.id limit ${maxNamed}`,
      {
        ...{ ...bind, ...(organizationId !== null && { organizationId }), now: now.toISOString(), threshold },
        ...(isRuntime && { check: probe.check, platform: platformOrganizationId }),
      },
    );
    return { violations: rows[0]?.violations ?? 0, findings: rows };
  });
}

const notReported = `where (coalesce(f.organization_id, :platform), f.id) not in (
  select a.organization_id, a.subject_id from platform_alert a where a.kind = 'qa' and a.code = :check
    and a.at >= date_trunc('hour', :now::timestamptz, 'UTC') and a.subject_id is not null)`;
