// Asks a probe.
import { inReadOnlyContext } from '../../platform/db.ts';
import type { Queues } from '../../platform/queue.ts';
import { rowsOf } from '../../platform/sql.ts';
import { type Finding, type Found, type Looking, mostNamed, type Probe } from './probe.ts';

/** `organizationId` null: of all of them, or of the platform. */
export function find(
  probe: Probe,
  looking: Looking,
  organizationId: string | null,
  queues: Queues | undefined,
): Promise<Found> {
  if ('look' in probe) return probe.look(looking, queues);
  const { services, now, threshold } = looking;
  const context = organizationId === null ? ('SUPER' as const) : { organizationId };
  return inReadOnlyContext(services.db, context, async (trx) => {
    const rows = await rowsOf<Finding & { readonly violations: number }>(
      trx,
      `select f.organization_id, f.id, f.student_id, (count(*) over ())::integer as violations
       from (${probe.findings}) f order by f.id limit ${mostNamed}`,
      { ...probe.bind, ...(organizationId !== null && { organizationId }), now: now.toISOString(), threshold },
    );
    return { violations: rows[0]?.violations ?? 0, findings: rows };
  });
}
