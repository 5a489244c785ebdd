// The last audit result of each organization, and requests for another. The platform has an id of its own.
import type { Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** By check; null when the probe failed. */
export type CheckCounts = Readonly<Record<string, number | null>>;

export interface AuditResult {
  readonly organizationId: string;
  readonly asOf: string;
  readonly ruleVersion: string;
  readonly counts: CheckCounts;
}

/** An earlier result never replaces a later one. */
export async function keepResult(trx: Trx, { organizationId, asOf, ruleVersion, counts }: AuditResult): Promise<void> {
  await trx.raw(
    `with served as (
       update qa_audit_request set served_at = :asOf where subject = :organizationId and requested_at <= :asOf)
     insert into qa_audit as a (organization_id, as_of, rule_version, counts)
     values (:organizationId, :asOf, :ruleVersion, :counts)
     on conflict (organization_id) do update
     set as_of = excluded.as_of, rule_version = excluded.rule_version, counts = excluded.counts
     where a.as_of <= excluded.as_of`,
    { organizationId, asOf, ruleVersion, counts: JSON.stringify(counts) },
  );
}

/**
 * Requests audits of the named organizations, or with null of all and the platform, that have no fresh result. One request
 * is open at a time. Rows are locked in the order of ids.
 */
export async function requestAudits(
  trx: Trx,
  organizationId: string | null,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<void> {
  await trx.raw(
    `insert into qa_audit_request as q (subject, requested_at)
     select o.id, :now::timestamptz
     from (select id from organization union all select :platform) o (id)
     left join qa_audit a on a.organization_id = o.id
     where o.id = coalesce(:organizationId, o.id) and (a.as_of is null or a.as_of <= :before::timestamptz)
     order by o.id
     on conflict (subject) do update set requested_at = excluded.requested_at, served_at = null
     where q.served_at is not null`,
    { organizationId, platform: platformOrganizationId, now: now.toISOString(), before: before.toISOString() },
  );
}

export const openAuditRequests = (trx: Trx, limit: number): Promise<{ readonly subject: string }[]> =>
  rowsOf(trx, 'select subject from qa_audit_request where served_at is null order by requested_at limit :limit', {
    limit,
  });

export interface AuditState {
  /** Time of the oldest result; null without one. */
  readonly asOf: string | null;
  readonly pending: boolean;
  readonly violations: ReadonlyMap<string, number>;
}

/** Sums over the rows that the transaction sees; a check that was counted nowhere is left out. */
export async function auditState(trx: Trx, organizationId: string | null): Promise<AuditState> {
  const [state] = await rowsOf<{ asOf: string | null; pending: boolean }>(
    trx,
    `select (select min(a.as_of) from qa_audit a where a.organization_id = coalesce(:organizationId, a.organization_id)) as as_of,
       exists (select from qa_audit_request q
         where q.served_at is null and q.subject = coalesce(:organizationId, q.subject)) as pending`,
    { organizationId },
  );
  const rows = await rowsOf<{ check: string; violations: number }>(
    trx,
    `select c.key as check, sum(c.value::bigint)::bigint as violations
     from qa_audit a cross join lateral jsonb_each_text(a.counts) c
     where a.organization_id = coalesce(:organizationId, a.organization_id) and c.value is not null group by c.key`,
    { organizationId },
  );
  const violations = new Map(rows.map(({ check, violations }) => [check, violations]));
  return { asOf: state?.asOf ?? null, pending: state?.pending ?? false, violations };
}
