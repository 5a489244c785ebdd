// Finds halted students: their growth is not recorded (40 §3).

import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { type CatalogueDocument, schoolYearOf } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { enrollmentContexts } from '#support/interventions/index.ts';

export interface HaltQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly bundle: RuleBundle;
  readonly now: Date;
  /** ISO 8601: only runs stored by then count; all by default. */
  readonly until?: string;
}

/** Uses the newest run of the school year; a student without a run is not halted. */
export async function studentsInHalt(
  trx: Trx,
  { organizationId, studentIds, bundle, now, until }: HaltQuestion,
): Promise<ReadonlySet<number>> {
  const contexts = await enrollmentContexts(trx, organizationId, studentIds);
  const zones = new Map(contexts.map(({ studentId, timeZone }) => [studentId, timeZone]));
  const yearStart = startsOfYear(bundle, now);
  const halted = await rowsOf<{ studentId: number }>(
    trx,
    `select t.student_id from unnest(:studentIds::bigint[], :starts::timestamptz[]) as t (student_id, start)
     cross join lateral (select r.halted from sse_run r
       where r.organization_id = ${anyOrganization} and r.student_id = t.student_id and r.as_of >= t.start
         and (:until::timestamptz is null or r.created_at <= :until) order by r.seq desc limit 1) r
     where r.halted`,
    {
      ...{ organizationId, studentIds, until: until ?? null },
      starts: studentIds.map((studentId) => yearStart(zones.get(studentId) ?? 'UTC')),
    },
    keptPlan,
  );
  return new Set(halted.map(({ studentId }) => studentId));
}

/** Returns the start of the school year of `now` by time zone. Many students share few time zones. */
function startsOfYear(bundle: RuleBundle, now: Date): (timeZone: string) => string {
  const { schoolYear } = bundle.values<CatalogueDocument>('catalogue/subskills');
  const known = new Map<string, string>();
  return (timeZone) => {
    const start = known.get(timeZone) ?? schoolYearOf(now.toISOString(), timeZone, schoolYear).from;
    known.set(timeZone, start);
    return start;
  };
}
