// From which day the due days of an open alert are counted, and what holds them.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { RtiAlert } from '../rows/alerts.ts';

/** What has happened since each alert was opened. Instants, but `planEndedOn`, a local date. */
export interface AlertDueFacts {
  readonly alertId: string;
  readonly decidedAt: string | null;
  readonly rejectedAt: string | null;
  readonly deferredAt: string | null;
  readonly planEndedOn: string | null;
  /** Whether a packet is under review or deferred. */
  readonly isInPacket: boolean;
  /** Whether a plan that was activated since is scheduled or active. */
  readonly isPlanned: boolean;
}

/** Of the open alerts of these students, by alert id. Decisions of packets are decisions. */
export async function alertDueFacts(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlyMap<string, AlertDueFacts>> {
  const rows = await rowsOf<AlertDueFacts>(
    trx,
    `select a.id as alert_id,
       (select max(d.committed_at) from rti_decision d where d.organization_id = a.organization_id
          and d.student_id = a.student_id and d.committed_at > a.opened_at) as decided_at,
       max(p.closed_at) filter (where p.status = 'rejected' and p.closed_at > a.opened_at) as rejected_at,
       max(p.deferred_at) filter (where p.deferred_at > a.opened_at) as deferred_at,
       coalesce(bool_or(p.status in ('under_review', 'deferred')), false) as is_in_packet,
       (select max(b.ended_on) from bundle_assignment b where b.organization_id = a.organization_id
          and b.student_id = a.student_id and b.ended_on >= a.opened_on) as plan_ended_on,
       exists (select from bundle_assignment b where b.organization_id = a.organization_id
          and b.student_id = a.student_id and b.state in ('scheduled', 'active')
          and b.activated_at > a.opened_at) as is_planned
     from rti_alert a
     left join decision_packet p on p.organization_id = a.organization_id and p.student_id = a.student_id
     where a.organization_id = :organizationId and a.student_id = any(:studentIds::bigint[]) and a.state = 'open'
     group by a.organization_id, a.id`,
    { organizationId, studentIds: [...studentIds] },
  );
  return new Map(rows.map((row) => [row.alertId, row]));
}

/** Students with a packet under review or deferred. */
export async function heldByPackets(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (studentIds.length === 0) return new Set();
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select distinct p.student_id from decision_packet p
     where p.organization_id = :organizationId and p.student_id = any(:studentIds::bigint[])
       and p.status in ('under_review', 'deferred')`,
    { organizationId, studentIds: [...studentIds] },
  );
  return new Set(rows.map(({ studentId }) => studentId));
}

/** Kinds that a plan answers. */
const answeredByPlan: ReadonlySet<RtiAlert['kind']> = new Set(['Student_Alert', 'Skill_Alert']);

export const isHeld = ({ kind }: Pick<RtiAlert, 'kind'>, { isInPacket, isPlanned }: AlertDueFacts): boolean =>
  isInPacket || (answeredByPlan.has(kind) && isPlanned);

/** The latest of the days from which an alert is counted. */
export function countedFrom(
  { kind, openedOn }: Pick<RtiAlert, 'kind' | 'openedOn'>,
  { decidedAt, rejectedAt, deferredAt, planEndedOn }: AlertDueFacts,
  firstRunAt: string,
  timeZone: string,
): string {
  const instants = [firstRunAt, decidedAt, rejectedAt, deferredAt].filter((at) => at !== null);
  const days = instants.map((at) => localDate(new Date(at), timeZone));
  const ended = answeredByPlan.has(kind) && planEndedOn !== null ? [planEndedOn] : [];
  return [openedOn, ...days, ...ended].reduce((latest, day) => (day > latest ? day : latest));
}
