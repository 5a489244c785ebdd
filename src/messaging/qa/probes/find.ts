// Asks a probe. What was found where it happens, or a minute ago, and is told for this hour is not found again by a runtime
// check: so whatever number there is, all are told, some at each look, and of each organization first ones.
import { inReadOnlyContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Finding, type Found, type Looking, mostNamed, type Search } from './probe.ts';

/** `organizationId` null: of all of them, or of the platform. */
export function find(
  probe: Search,
  looking: Looking,
  organizationId: string | null,
  queues: Queues | undefined,
): Promise<Found> {
  if ('look' in probe) return probe.look(looking, queues);
  const { services, now, threshold } = looking;
  const context = organizationId === null ? ('SUPER' as const) : { organizationId };
  const isRuntime = probe.kind === 'runtime';
  return inReadOnlyContext(services.db, context, async (trx) => {
    const rows = await rowsOf<Finding & { readonly violations: number }>(
      trx,
      `select f.organization_id, f.id, f.student_id, (count(*) over ())::integer as violations
       from (${probe.findings}) f ${isRuntime ? untold : ''}
       order by row_number() over (partition by f.organization_id order by f.id), f.id limit ${mostNamed}`,
      {
        ...{ ...probe.bind, ...(organizationId !== null && { organizationId }), now: now.toISOString(), threshold },
        ...(isRuntime && { check: probe.check, platform: platformOrganizationId }),
      },
    );
    return { violations: rows[0]?.violations ?? 0, findings: rows };
  });
}

const untold = `where (coalesce(f.organization_id, :platform), f.id) not in (
  select a.organization_id, a.subject_id from platform_alert a where a.kind = 'qa' and a.code = :check
    and a.at >= date_trunc('hour', :now::timestamptz, 'UTC') and a.subject_id is not null)`;
