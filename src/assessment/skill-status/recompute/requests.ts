// The one mutable row a student: how many recomputes were asked for, and up to which one the results have come. Asking
// only counts up, so that asking never waits for a recompute and many triggers make one run.
import type { Trx } from '#core/platform/db.ts';
import { notFailed } from '#core/platform/failures.ts';
import { lockingRows, tryNamed } from '#core/platform/locks.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Trigger } from '../results/enums.ts';
import { onePerStudent, type RecomputeTrigger, reasonBindings, staysReason } from './reasons.ts';

export const recomputeQueue = 'recompute';

/** `:now` is bound to the Clock's moment. */
const isDue = 'parked_at is null and (next_try_at is null or next_try_at <= :now::timestamptz)';

/**
 * Students of one transaction: enough to make its cost small, few enough that a failure throws little away and that a
 * commit is a fraction of a second away.
 */
export const studentsOfJob = 100;

/**
 * Counts up each student's request once and answers the jobs that will serve them, many in one job. The order of rows keeps
 * two callers from waiting for each other. Of several triggers of one student the last is remembered among those that say most. Whatever
 * asks may have changed what failed: a request that was parked is tried again.
 */
export async function requestRecomputes(trx: Trx, list: readonly RecomputeTrigger[]): Promise<Job[]> {
  const rows = onePerStudent(list);
  const raised = await rowsOf<RequestKey>(
    trx,
    `insert into sse_recompute_request as q
       (organization_id, student_id, requested_seq, trigger, trigger_ref, requested_at, new_rules_seq)
     select t.organization_id, t.student_id, 1, t.trigger, t.trigger_ref, t.at, t.new_rules
     from unnest(:organizationIds::text[], :studentIds::bigint[], :triggers::text[], :refs::text[],
       :moments::timestamptz[], :newRules::integer[]) as t (organization_id, student_id, trigger, trigger_ref, at, new_rules)
     order by t.organization_id, t.student_id
     on conflict (organization_id, student_id) do update set requested_seq = q.requested_seq + 1,
       trigger = case when ${staysReason} then q.trigger else excluded.trigger end,
       trigger_ref = case when ${staysReason} then q.trigger_ref else excluded.trigger_ref end,
       new_rules_seq = case when excluded.new_rules_seq > 0 then q.requested_seq + 1 else q.new_rules_seq end,
       requested_at = excluded.requested_at, attempts = 0, next_try_at = null, parked_at = null
     returning organization_id, student_id, requested_seq`,
    {
      organizationIds: rows.map(({ organizationId }) => organizationId),
      studentIds: rows.map(({ studentId }) => studentId),
      triggers: rows.map(({ trigger }) => trigger),
      refs: rows.map(({ triggerRef }) => triggerRef),
      moments: rows.map(({ at }) => at),
      newRules: rows.map(({ newRules }) => Number(newRules)),
      ...reasonBindings,
    },
  );
  return groupJobs(raised);
}

/** By organization; a job is named by its first student, and the others stand beside him. */
function groupJobs(raised: readonly RequestKey[]): Job[] {
  const open = new Map<string, { readonly first: RequestKey; readonly others: number[] }>();
  const groups = raised.flatMap((key) => {
    const group = open.get(key.organizationId);
    if (group && group.others.length + 1 < studentsOfJob) {
      group.others.push(key.studentId);
      return [];
    }
    const started = { first: key, others: [] };
    open.set(key.organizationId, started);
    return [started];
  });
  return groups.map(({ first, others }) => {
    const job = jobOf(first);
    return others.length === 0 ? job : { ...job, data: { ...job.data, others: others.join() } };
  });
}

interface RequestKey {
  readonly organizationId: string;
  readonly studentId: number;
  readonly requestedSeq: number;
}

const jobOf = ({ organizationId, studentId, requestedSeq }: RequestKey): Job => ({
  queue: recomputeQueue,
  id: `recompute-${studentId}-${requestedSeq}`,
  data: { organizationId, studentId },
});

/** Jobs for requests that have waited for so long: their own were lost, or failed a while ago. The latter come last. */
export async function overdueJobs(trx: Trx, now: Date, waitedMs: number, limit: number): Promise<Job[]> {
  const before = new Date(now.getTime() - waitedMs).toISOString();
  const overdue = await rowsOf<RequestKey>(
    trx,
    `select organization_id, student_id, requested_seq from sse_recompute_request
     where requested_seq > processed_seq and (requested_at < :before or requested_at > :now) and ${isDue}
     order by last_error is not null, requested_at limit :limit`,
    { before, now: now.toISOString(), limit },
  );
  return overdue.map(jobOf);
}

/** Requests that nobody served for longer wait for something else than a free process. */
const freshMs = 10_000;

/** Whether anybody waits for results of what was done just now, and not of rules that have changed. In SUPER context. */
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

/** The students among these whose recompute nobody else is at; held until the transaction ends. Never waits. */
export const lockRecomputes = (trx: Trx, studentIds: readonly number[]): Promise<number[]> =>
  tryNamed(trx, 'skillStatus', studentIds);

/** Those of the students whose request is open and may be tried now: not parked, the last failure long enough ago. */
export async function dueStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  now: Date,
): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select student_id from sse_recompute_request
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       and requested_seq > processed_seq and ${isDue}`,
    { organizationId, studentIds, now: now.toISOString() },
  );
  return rows.map(({ studentId }) => studentId);
}

/** Others of the organization whose request is open and never failed; a different choice for each student that asks. */
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

/** An open request with what a run needs to know of its student. */
export interface OpenRequest {
  readonly studentId: number;
  readonly requestedSeq: number;
  readonly trigger: Trigger;
  readonly triggerRef: string | null;
  /** New rules were asked for, whatever else was: what follows from a run is told although the run is the same. */
  readonly byNewRules: boolean;
  readonly requestedAt: string;
  /** Of the student's class, or of the last one; null for a student who never was in one. */
  readonly grade: number | null;
  /** IANA name: of the class's school, else of the organization. */
  readonly timeZone: string;
}

export function openRequests(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<OpenRequest[]> {
  return rowsOf(
    trx,
    `select q.student_id, q.requested_seq, q.trigger, q.trigger_ref, q.requested_at, c.grade,
       q.new_rules_seq > q.processed_seq or q.trigger = 'rule_activation' as by_new_rules,
       coalesce(s.time_zone, o.time_zone) as time_zone
     from sse_recompute_request q
     join organization o on o.id = q.organization_id
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

/** Under which bundle, and when, these students were judged; what it says of them may be what was known before. */
export interface Judgement {
  readonly bundleId: string;
  /** ISO 8601 instant. */
  readonly at: string;
  readonly studentIds: ReadonlySet<number>;
  /** Those with a new result. */
  readonly runs: readonly { readonly grade: number; readonly halted: boolean }[];
}

/** The requests are served up to what was read of them; later ones stay open. Rows are locked in the order of asking. */
export async function closeRequests(
  trx: Trx,
  organizationId: string,
  served: readonly Pick<OpenRequest, 'studentId' | 'requestedSeq'>[],
  judged?: Judgement,
): Promise<void> {
  await trx.raw(
    `with own as (select student_id from sse_recompute_request
       where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       order by student_id ${lockingRows('recomputeRequest', 'change')})
     update sse_recompute_request q set processed_seq = greatest(q.processed_seq, t.seq), ${notFailed},
       judged_bundle_id = case when t.judged then :bundleId else q.judged_bundle_id end,
       judged_at = case when t.judged then :at::timestamptz else q.judged_at end
     from own join unnest(:studentIds::bigint[], :seqs::integer[], :judged::boolean[])
       as t (student_id, seq, judged) using (student_id)
     where q.organization_id = :organizationId and q.student_id = own.student_id`,
    {
      organizationId,
      studentIds: served.map(({ studentId }) => studentId),
      seqs: served.map(({ requestedSeq }) => requestedSeq),
      judged: served.map(({ studentId }) => judged?.studentIds.has(studentId) ?? false),
      bundleId: judged?.bundleId ?? null,
      at: judged?.at ?? null,
    },
  );
}
