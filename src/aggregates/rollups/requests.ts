// Which classes are to be counted anew, and up to which asking they were. Asking only counts up: who asks never waits for
// whoever counts.
import type { Trx } from '../../platform/db.ts';
import { lockingRows } from '../../platform/locks.ts';
import { rowsOf } from '../../platform/sql.ts';

/** After so many failures a class waits for the next day, or for the next asking. */
const mostAttempts = 5;

const asking = `on conflict (organization_id, class_id) do update
  set requested_seq = q.requested_seq + 1, requested_at = excluded.requested_at, attempts = 0`;

export interface OfOrganization {
  readonly organizationId: string;
}

export interface Changes {
  /** Whose status, profile or situation is another one: their class of today. */
  readonly judged: readonly (OfOrganization & { readonly studentId: number })[];
  /** Who came, moved or left: every class that they ever were in, since the one that was left may be older than the newest. */
  readonly moved: readonly (OfOrganization & { readonly studentId: number })[];
  readonly classes: readonly (OfOrganization & { readonly classId: number })[];
  /** Whose clocks are others; null: those of the organization. */
  readonly schools: readonly (OfOrganization & { readonly schoolId: string | null })[];
}

/** One statement, so that rows are locked in one order. */
export async function requestCounts(trx: Trx, { judged, moved, classes, schools }: Changes, now: Date): Promise<void> {
  const organizations = (of: readonly OfOrganization[]) => of.map(({ organizationId }) => organizationId);
  await trx.raw(
    `insert into rollup_request as q (organization_id, class_id, requested_seq, requested_at)
     select found.organization_id, found.class_id, 1, :now::timestamptz
     from (
       select e.organization_id, e.class_id
       from unnest(:judgedIn::text[], :judged::bigint[]) as t (organization_id, student_id)
       join enrollment e on e.organization_id = t.organization_id and e.student_id = t.student_id
         and e.enrolled_to is null
       union
       select e.organization_id, e.class_id
       from unnest(:movedIn::text[], :moved::bigint[]) as t (organization_id, student_id)
       join enrollment e on e.organization_id = t.organization_id and e.student_id = t.student_id
       union
       select t.organization_id, t.class_id
       from unnest(:classesIn::text[], :classes::bigint[]) as t (organization_id, class_id)
       union
       select c.organization_id, c.id
       from unnest(:schoolsIn::text[], :schools::text[]) as t (organization_id, school_id)
       join class c on c.organization_id = t.organization_id and c.school_id = coalesce(t.school_id, c.school_id)
         and c.archived_at is null) found
     order by found.organization_id, found.class_id
     ${asking}`,
    {
      ...{ judgedIn: organizations(judged), judged: judged.map(({ studentId }) => studentId) },
      ...{ movedIn: organizations(moved), moved: moved.map(({ studentId }) => studentId) },
      ...{ classesIn: organizations(classes), classes: classes.map(({ classId }) => classId) },
      ...{ schoolsIn: organizations(schools), schools: schools.map(({ schoolId }) => schoolId) },
      now: now.toISOString(),
    },
  );
}

/** All that could have counts or has some. */
export async function requestAllClasses(trx: Trx, organizationId: string, now: Date): Promise<void> {
  await trx.raw(
    `insert into rollup_request as q (organization_id, class_id, requested_seq, requested_at)
     select :organizationId, found.class_id, 1, :now::timestamptz
     from (
       select c.id as class_id from class c where c.organization_id = :organizationId and c.archived_at is null
       union
       select d.class_id from org_daily_class d
       join org_rollup r on r.organization_id = d.organization_id and r.day = d.day
       where d.organization_id = :organizationId) found
     order by found.class_id
     ${asking}`,
    { organizationId, now: now.toISOString() },
  );
}

export interface OpenRequest {
  readonly classId: number;
  readonly requestedSeq: number;
}

export const openRequests = (
  trx: Trx,
  organizationId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<OpenRequest[]> =>
  rowsOf(
    trx,
    `select class_id, requested_seq from rollup_request
     where organization_id = :organizationId and requested_seq > processed_seq and attempts < :mostAttempts
       and class_id > :after
     order by class_id limit :limit`,
    { organizationId, after, limit, mostAttempts },
  );

/** Served up to what was read of them. */
export async function closeRequests(trx: Trx, organizationId: string, served: readonly OpenRequest[]): Promise<void> {
  await trx.raw(
    `with own as (select class_id from rollup_request
       where organization_id = :organizationId and class_id = any(:classIds::bigint[])
       order by class_id ${lockingRows('rollupRequest', 'change')})
     update rollup_request q set processed_seq = greatest(q.processed_seq, t.seq), attempts = 0
     from own join unnest(:classIds::bigint[], :seqs::integer[]) as t (class_id, seq) using (class_id)
     where q.organization_id = :organizationId and q.class_id = own.class_id`,
    {
      organizationId,
      classIds: served.map(({ classId }) => classId),
      seqs: served.map(({ requestedSeq }) => requestedSeq),
    },
  );
}

export async function noteFailure(trx: Trx, organizationId: string, classId: number): Promise<void> {
  await trx('rollup_request').where({ organizationId, classId }).increment('attempts');
}

export const organizationsWaiting = (trx: Trx): Promise<{ readonly organizationId: string }[]> =>
  rowsOf(
    trx,
    `select distinct organization_id from rollup_request
     where requested_seq > processed_seq and attempts < :mostAttempts order by organization_id`,
    { mostAttempts },
  );
