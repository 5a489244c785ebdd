// Requests to count classes, and the sequence number up to which they were served. A request only increments a number,
// so that callers never wait for the process that counts.
import type { FailureNotes } from '#core/module/request-queue.ts';
import type { Trx } from '#core/platform/db.ts';
import { isWaiting, type OpenRequest, raiseRequests } from '#core/platform/requests/requests.ts';
import { rowsOf } from '#core/platform/sql.ts';

export const rollupRequests: FailureNotes<number> = {
  name: 'rollup_request',
  lock: 'rollupRequest',
  column: 'class_id',
  type: 'bigint',
  retries: 'counted',
  listed: 'classIds',
};

export interface InOrganization {
  readonly organizationId: string;
}

export interface CountedChanges {
  /** Students whose status, profile or context has changed; their current class is counted. */
  readonly evaluated: readonly (InOrganization & { readonly studentId: number })[];
  /**
   * Students who joined, moved or left. All classes they were ever in are counted, because the class that was left may
   * not be the newest.
   */
  readonly moved: readonly (InOrganization & { readonly studentId: number })[];
  readonly classes: readonly (InOrganization & { readonly classId: number })[];
  /** Schools whose time zone has changed; null stands for the organization's time zone. */
  readonly schools: readonly (InOrganization & { readonly schoolId: string | null })[];
}

/** One statement, so that rows are locked in one order. */
export async function requestCounts(
  trx: Trx,
  { evaluated, moved, classes, schools }: CountedChanges,
  now: Date,
): Promise<void> {
  const organizations = (of: readonly InOrganization[]) => of.map(({ organizationId }) => organizationId);
  await raiseRequests(trx, rollupRequests, {
    from: `select found.organization_id, found.class_id, :now::timestamptz as requested_at from (
       select e.organization_id, e.class_id
       from unnest(:evaluatedIn::text[], :evaluated::bigint[]) as t (organization_id, student_id)
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
         and c.archived_at is null) found`,
    bindings: {
      ...{ evaluatedIn: organizations(evaluated), evaluated: evaluated.map(({ studentId }) => studentId) },
      ...{ movedIn: organizations(moved), moved: moved.map(({ studentId }) => studentId) },
      ...{ classesIn: organizations(classes), classes: classes.map(({ classId }) => classId) },
      ...{ schoolsIn: organizations(schools), schools: schools.map(({ schoolId }) => schoolId) },
      now: now.toISOString(),
    },
  });
}

/** Requests all classes that can have counts or have some. */
export async function requestAllClasses(trx: Trx, organizationId: string, now: Date): Promise<void> {
  await raiseRequests(trx, rollupRequests, {
    from: `select :organizationId::text as organization_id, found.class_id, :now::timestamptz as requested_at from (
       select c.id as class_id from class c where c.organization_id = :organizationId and c.archived_at is null
       union
       select d.class_id from org_daily_class d
       join org_rollup r on r.organization_id = d.organization_id and r.day = d.day
       where d.organization_id = :organizationId) found`,
    bindings: { organizationId, now: now.toISOString() },
  });
}

/** Returns open requests of an organization in the order of class ids, after a given class. */
export const requestsAfter = (
  trx: Trx,
  organizationId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<OpenRequest<number>[]> =>
  rowsOf(
    trx,
    `select q.class_id as key, q.requested_seq from rollup_request q
     where q.organization_id = :organizationId and ${isWaiting(rollupRequests)} and q.class_id > :after
     order by q.class_id limit :limit`,
    { organizationId, after, limit },
  );

export const organizationsWaiting = (trx: Trx): Promise<{ readonly organizationId: string }[]> =>
  rowsOf(
    trx,
    `select distinct q.organization_id from rollup_request q where ${isWaiting(rollupRequests)} order by q.organization_id`,
    {},
  );
