// The reads of the index: who is in which class, who has a newer run, and the newest runs themselves.

import { simulation } from '#assessment/skill-status/index.ts';
import { bulkReadingIn, type Db, inReadOnlyContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { LedgerMark } from '../../ledger/ledgers.ts';

/** Each of `count` threads holds its own students. */
export interface Part {
  readonly number: number;
  readonly count: number;
}

export interface Member {
  readonly organizationId: string;
  readonly studentId: number;
  readonly classId: number | null;
  readonly schoolId: string | null;
  readonly timeZone: string;
}

const isHeld = 'u.id % :count::bigint = :number::bigint';
const isStudent = `u.primary_persona = 'STUDENT' and u.organization_id = any(:organizations::text[])`;

/** Returns the students of the organizations by their present class, in the order of their ids. */
export const membersByClass = (db: Db, organizations: readonly string[], { number, count }: Part): Promise<Member[]> =>
  inReadOnlyContext(db, 'SUPER', (trx) =>
    rowsOf(
      trx,
      `select u.organization_id, u.id as student_id, e.class_id, c.school_id, coalesce(s.time_zone, o.time_zone) as time_zone
       from app_user u
       join organization o on o.id = u.organization_id
       left join enrollment e on e.organization_id = u.organization_id and e.student_id = u.id and e.enrolled_to is null
       left join class c on c.organization_id = u.organization_id and c.id = e.class_id
       left join school s on s.organization_id = u.organization_id and s.id = c.school_id
       where ${isStudent} and u.status not in ('merged', 'deleted') and ${isHeld}
       order by u.organization_id, u.id`,
      { organizations: [...organizations], number, count },
    ),
  );

interface StudentOf {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Returns the students who were erased, or whose account became another one’s. */
export const goneStudents = (db: Db, organizations: readonly string[], { number, count }: Part): Promise<StudentOf[]> =>
  inReadOnlyContext(db, 'SUPER', (trx) =>
    rowsOf(
      trx,
      `select u.organization_id, u.id as student_id from app_user u
       where ${isStudent} and u.status in ('merged', 'deleted') and ${isHeld}`,
      { organizations: [...organizations], number, count },
    ),
  );

export interface NewestRun extends StudentOf {
  readonly seq: number;
}

export interface RunsSince {
  readonly runs: readonly NewestRun[];
  /** Every run up to this number was committed before the read. */
  readonly sealed: number;
}

/**
 * Returns for each student with runs after `since` the newest one. A run may be committed after others with higher numbers: the
 * next call begins where the ledger was sealed before this one, so that no run is missed.
 */
export const runsSince = (
  db: Db,
  organizations: readonly string[],
  since: number,
  { number, count }: Part,
): Promise<RunsSince> =>
  inReadOnlyContext(db, 'SUPER', async (trx) => {
    const mark: { sealed: number } | undefined = await LedgerMark.query(trx).where({ tableName: 'sse_run' }).first();
    const runs = await rowsOf<NewestRun>(
      trx,
      `select r.organization_id, r.student_id, max(r.seq) as seq from sse_run r
       where r.organization_id = any(:organizations::text[]) and r.seq > :since
         and r.student_id % :count::bigint = :number::bigint
       group by r.organization_id, r.student_id`,
      { organizations: [...organizations], since, number, count },
    );
    return { runs, sealed: mark?.sealed ?? 0 };
  });

/** Returns the newest runs of the school years, for students who have one. */
export const runsOf = (
  db: Db,
  organizationId: string,
  students: readonly { readonly studentId: number; readonly schoolYear: string }[],
  now: string,
): Promise<simulation.SimulatedRun[]> =>
  bulkReadingIn(db, { organizationId })((trx) => simulation.newestRuns(trx, organizationId, students, now));
