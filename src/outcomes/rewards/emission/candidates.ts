// Candidates of growth: facts of events, kept until they are evaluated. They are written in the relay's transaction,
// with the moment at which the fact was stored.
import type { StoredEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { mayBeTried } from '#core/platform/failures.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { jobsOfKeys, type KeyedJobs } from '#core/platform/requests/requests.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import type { LedgerOf } from '../ledger/ledgers.ts';

export const masteryStudents: KeyedJobs<number> = {
  queue: 'mastery',
  // Batches work off a backlog in few transactions while keeping locks short.
  atOnce: 50,
  listed: 'studentIds',
  keyOf: Number,
};

export interface Candidate {
  readonly id: number;
  readonly studentId: number;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO 8601 instant at which the event was written, together with its fact. */
  readonly happenedAt: string;
}

interface CandidateKey extends LedgerOf {
  readonly id: number;
}

/** Stores candidates and returns the jobs that evaluate them. */
export async function storeCandidates(trx: Trx, events: readonly StoredEvent[]): Promise<Job[]> {
  if (events.length === 0) return [];
  const kept = await rowsOf<CandidateKey>(
    trx,
    `insert into mastery_candidate (organization_id, student_id, topic, event_id, payload, happened_at)
     select t.organization_id, (t.payload ->> 'studentId')::bigint, t.topic, t.id, t.payload, t.created_at
     from unnest(:organizationIds::text[], :ids::bigint[], :topics::text[], :payloads::jsonb[], :moments::timestamptz[])
       as t (organization_id, id, topic, payload, created_at) order by t.id
     on conflict do nothing returning organization_id, student_id, id`,
    {
      organizationIds: events.map((event) => event.organizationId),
      ids: events.map(({ id }) => id),
      topics: events.map(({ topic }) => topic),
      payloads: events.map(({ payload }) => JSON.stringify(payload)),
      moments: events.map(({ createdAt }) => createdAt),
    },
  );
  return masteryJobs(kept);
}

/** A job is named after the newest candidate of its first student. */
const masteryJobs = (candidates: readonly CandidateKey[]): Job[] => {
  const newest = new Map(candidates.map((one) => [`${one.organizationId} ${one.studentId}`, one]));
  return jobsOfKeys(
    masteryStudents,
    [...newest.values()].map(({ organizationId, studentId: key, id: requestedSeq }) => {
      return { organizationId, key, requestedSeq };
    }),
  );
};

/**
 * Returns jobs for students without a pending recompute whose own jobs came too early, were lost, or failed a while
 * ago.
 */
export async function overdueCandidates(trx: Trx, now: Date, waitedMs: number, limit: number): Promise<Job[]> {
  const overdue = await rowsOf<CandidateKey>(
    trx,
    `select c.organization_id, c.student_id, max(c.id) as id from mastery_candidate c
     left join sse_recompute_request q on q.organization_id = c.organization_id and q.student_id = c.student_id
     where (c.happened_at < :before or c.happened_at > :now) and ${mayBeTried('c')}
       and not coalesce(q.requested_seq > q.processed_seq, false)
     group by c.organization_id, c.student_id order by min(c.happened_at) limit :limit`,
    { before: new Date(now.getTime() - waitedMs).toISOString(), now: now.toISOString(), limit },
  );
  return masteryJobs(overdue);
}

export interface CandidatesOf {
  readonly organizationId: string;
  /** Their candidates are due when no recompute of the student is pending. */
  readonly living: readonly number[];
  readonly erased: readonly number[];
}

/**
 * Returns due candidates in the order of their events. One statement reads them with the pending recomputes, because a
 * fact is stored together with its recompute request. It is planned each time, since the size of the table varies
 * widely.
 */
export const dueCandidates = (
  trx: Trx,
  { organizationId, living, erased }: CandidatesOf,
  now: Date,
): Promise<Candidate[]> =>
  rowsOf(
    trx,
    `select c.id, t.student_id, c.topic, c.payload, c.happened_at
     from (select unnest(:living::bigint[]) as student_id, true as waits
       union all select unnest(:erased::bigint[]), false) as t
     left join sse_recompute_request q on q.organization_id = ${anyOrganization} and q.student_id = t.student_id
     cross join lateral (select c.id, c.topic, c.payload, c.happened_at from mastery_candidate c
       where c.organization_id = ${anyOrganization} and c.student_id = t.student_id and ${mayBeTried('c')} order by c.id) c
     where not (t.waits and coalesce(q.requested_seq > q.processed_seq, false)) order by c.id`,
    { organizationId, living, erased, now: now.toISOString() },
  );

/** Deletes candidates whatever their outcome. */
export async function deleteCandidates(
  trx: Trx,
  organizationId: string,
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length === 0) return;
  await rowsOf(
    trx,
    'delete from mastery_candidate where organization_id = :organizationId and id = any(:ids::bigint[])',
    { organizationId, ids: candidates.map(({ id }) => id) },
  );
}
