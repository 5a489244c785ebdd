// Recompute requests of students, and the request up to which results are current.

import type { Trx } from '#core/platform/db.ts';
import { tryNamed } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { closeRequests, jobsOfKeys, raiseRequests } from '#core/platform/requests/requests.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type ClassHistory, classHistoryOf } from '#identity/people/index.ts';
import type { TriggerKind } from '../results/enums.ts';
import { recomputeRequests } from './queue.ts';
import { onePerStudent, type RecomputeTrigger, reasonBindings, staysReason } from './reasons.ts';

export const RecomputeRequest = modelOf<{ readonly organizationId: string; readonly studentId: number }>(
  'sse_recompute_request',
  { id: ['organizationId', 'studentId'] },
);

/**
 * Increments each student's request once and returns the jobs, each for many students. Of several triggers of one
 * student, the last with the highest priority is stored.
 */
export async function requestRecomputes(trx: Trx, list: readonly RecomputeTrigger[]): Promise<Job[]> {
  const rows = onePerStudent(list);
  const raised = await raiseRequests(trx, recomputeRequests, {
    from: `select t.* from unnest(:organizationIds::text[], :studentIds::bigint[], :triggers::text[], :refs::text[],
      :moments::timestamptz[], :newRules::integer[])
      as t (organization_id, student_id, trigger, trigger_ref, requested_at, new_rules_seq)`,
    columns: ['trigger', 'trigger_ref', 'new_rules_seq'],
    changes: [
      `trigger = case when ${staysReason} then q.trigger else excluded.trigger end`,
      `trigger_ref = case when ${staysReason} then q.trigger_ref else excluded.trigger_ref end`,
      'new_rules_seq = case when excluded.new_rules_seq > 0 then q.requested_seq + 1 else q.new_rules_seq end',
    ],
    bindings: {
      organizationIds: rows.map(({ organizationId }) => organizationId),
      studentIds: rows.map(({ studentId }) => studentId),
      triggers: rows.map(({ trigger }) => trigger),
      refs: rows.map(({ triggerRef }) => triggerRef),
      moments: rows.map(({ at }) => at),
      newRules: rows.map(({ newRules }) => Number(newRules)),
      ...reasonBindings,
    },
  });
  return jobsOfKeys(recomputeRequests, raised);
}

/** Age up to which a request counts as fresh. An older one is delayed by something other than missing capacity. */
const freshMs = 10_000;

/** Returns whether a fresh request waits that is not caused by changed rules. Requires the SUPER context. */
export async function freshWait(trx: Trx, now: Date): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `select from sse_recompute_request
     where requested_seq > processed_seq and requested_at > :since and requested_at <= :now
       and trigger <> 'rule_activation' and parked_at is null limit 1`,
    { since: new Date(now.getTime() - freshMs).toISOString(), now: now.toISOString() },
  );
  return rows.length > 0;
}

/** Locks and returns the students that no other process has locked, until the transaction ends. Never waits. */
export const lockRecomputes = (trx: Trx, studentIds: readonly number[]): Promise<number[]> =>
  tryNamed(trx, 'skillStatus', studentIds);

/**
 * Returns other students of the organization with open requests that never failed; the choice differs per asking
 * student.
 */
export async function waitingStudents(
  trx: Trx,
  organizationId: string,
  besides: readonly number[],
  limit: number,
): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select student_id from sse_recompute_request
     where organization_id = :organizationId and requested_seq > processed_seq and student_id <> all(:besides::bigint[])
       and last_error is null
     order by hashint8extended(student_id, :first) limit :limit`,
    { organizationId, besides, first: besides[0] ?? 0, limit },
  );
  return rows.map(({ studentId }) => studentId);
}

/** An open request with the data of its student that a run needs. */
export interface OpenRecompute {
  readonly studentId: number;
  readonly requestedSeq: number;
  readonly trigger: TriggerKind;
  readonly triggerRef: string | null;
  /** Whether new rules are among the triggers: projections then run even when the result is unchanged. */
  readonly byNewRules: boolean;
  readonly requestedAt: string;
  /**
   * Empty for a student who was never in a class, and for an account that was merged into another one: its evidence is
   * that one's, and its results stay.
   */
  readonly classHistory: ClassHistory;
  /** IANA name from the class's school, else from the organization. */
  readonly timeZone: string;
}

export function openRecomputes(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<OpenRecompute[]> {
  return rowsOf(
    trx,
    `select q.student_id, q.requested_seq, q.trigger, q.trigger_ref, q.requested_at,
       case when u.status = 'merged' then '[]' else ${classHistoryOf('q.organization_id', 'q.student_id')} end
         as class_history,
       q.new_rules_seq > q.processed_seq or q.trigger = 'rule_activation' as by_new_rules,
       coalesce(s.time_zone, o.time_zone) as time_zone
     from sse_recompute_request q
     join organization o on o.id = q.organization_id
     join app_user u on u.organization_id = q.organization_id and u.id = q.student_id
     left join lateral (select class_id from enrollment e
       where e.organization_id = q.organization_id and e.student_id = q.student_id
       order by e.enrolled_to is not null, e.id desc limit 1) e on true
     left join class c on c.organization_id = q.organization_id and c.id = e.class_id
     left join school s on s.organization_id = q.organization_id and s.id = c.school_id
     where q.organization_id = :organizationId and q.student_id = any(:studentIds::bigint[])
       and q.requested_seq > q.processed_seq
     order by q.student_id`,
    { organizationId, studentIds },
  );
}

/**
 * The result of serving requests: which students were evaluated, under which bundle and when. Results may be unchanged.
 */
export interface RecomputeResult {
  readonly bundleId: string;
  /** ISO 8601 instant. */
  readonly at: string;
  readonly studentIds: ReadonlySet<number>;
  /** The runs with a new result. */
  readonly runs: readonly { readonly grade: number; readonly halted: boolean }[];
  /** Jobs that the runs requested, to be added after the commit. */
  readonly jobs: readonly Job[];
}

/** Closes requests up to the sequence number that was read; later ones stay open. */
export const closeRecomputes = (
  trx: Trx,
  organizationId: string,
  served: readonly Pick<OpenRecompute, 'studentId' | 'requestedSeq'>[],
  { bundleId, at, studentIds }: RecomputeResult,
): Promise<void> =>
  closeRequests(
    trx,
    recomputeRequests,
    organizationId,
    served.map(({ studentId: key, requestedSeq }) => ({ key, requestedSeq })),
    {
      changes: [
        'judged_bundle_id = case when q.student_id = any(:evaluated::bigint[]) then :bundleId else q.judged_bundle_id end',
        'judged_at = case when q.student_id = any(:evaluated::bigint[]) then :at::timestamptz else q.judged_at end',
      ],
      bindings: { evaluated: [...studentIds], bundleId, at },
    },
  );
