// Loads the inputs of RBM (logged sessions) and SUBFLAG (error patterns with counts).

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Facts } from '#rules/rulesets/index.ts';
import type { SubFlag } from '../../error-patterns/index.ts';

export interface LoggedSession {
  readonly id: number;
  readonly studentId: number;
  readonly sessionId: string;
  readonly facts: Facts;
}

/** Students with a period; ISO 8601, inclusive ends. */
export interface FlagWindows {
  readonly organizationId: string;
  readonly students: readonly { readonly studentId: number; readonly schoolYear: string; readonly from: string }[];
  readonly asOf: string;
}

const bindingsOf = ({ organizationId, students, asOf }: FlagWindows) => ({
  organizationId,
  asOf,
  studentIds: students.map(({ studentId }) => studentId),
});

/** Returns the logged sessions of the school year, by student and then oldest first. */
export const loggedSessions = (trx: Trx, windows: FlagWindows): Promise<LoggedSession[]> =>
  rowsOf(
    trx,
    `select b.id, b.student_id, b.session_id, b.facts
     from unnest(:studentIds::bigint[], :from::timestamptz[]) as t (student_id, opens)
     join rbm_log b on b.organization_id = :organizationId and b.student_id = t.student_id
       and b.at between t.opens and :asOf
     order by b.student_id, b.at, b.id`,
    { ...bindingsOf(windows), from: windows.students.map(({ from }) => from) },
  );

export const sessionsById = (trx: Trx, organizationId: string, ids: readonly number[]): Promise<LoggedSession[]> =>
  rowsOf(
    trx,
    `select b.id, b.student_id, b.session_id, b.facts from rbm_log b
     where b.organization_id = :organizationId and b.id = any(:ids::bigint[]) order by b.id`,
    { organizationId, ids },
  );

export interface StoredFlag extends SubFlag {
  readonly studentId: number;
  readonly schoolYear: string;
  readonly patternKey: string;
}

/** Returns the sub-flags that existed at `asOf`, with today's counts, since older ones are not kept. */
export const storedFlags = (trx: Trx, windows: FlagWindows): Promise<StoredFlag[]> =>
  rowsOf(
    trx,
    `select f.student_id, f.school_year, f.pattern_key, f.level, f.state, f.valid_occurrences, f.session_count,
       f.linked_occurrences, f.occurrences_after_support, f.support_delivered_at
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     join sub_flag_indicator f on f.organization_id = :organizationId and f.student_id = t.student_id
       and f.school_year = t.school_year and f.updated_at <= :asOf
     order by f.student_id, f.pattern_key`,
    { ...bindingsOf(windows), schoolYears: windows.students.map(({ schoolYear }) => schoolYear) },
  );
