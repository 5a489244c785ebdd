// Reads the facts of the students of classes: the last run and the newest profile of the school year, measurements by
// season, and context flags that require review. It takes three statements, however many students there are.

import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { studentsFlaggedForReview } from '#identity/context-flags/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { Season } from '../../enums.ts';
import type { CountedStudent, LastRun, SufficiencyBand } from './count.ts';
import type { YearSpan } from './school-years.ts';

export interface CountedClassYear extends YearSpan {
  readonly classId: number;
  /** IANA name. */
  readonly timeZone: string;
}

export interface StudentsQuestion {
  readonly organizationId: string;
  readonly classes: readonly CountedClassYear[];
  readonly rules: RuleBundle;
  readonly now: Date;
}

/** Keyed by class; the students currently enrolled. */
export async function studentsOf(
  trx: Trx,
  { organizationId, classes, rules, now }: StudentsQuestion,
): Promise<ReadonlyMap<number, readonly CountedStudent[]>> {
  const bindings = bindingsOf(organizationId, classes);
  const { seasons } = rules.values<CatalogueDocument>('catalogue/subskills');
  const months = seasons.flatMap(({ code, months }) => months.map((month) => ({ month, code })));
  const [found, measured] = await Promise.all([
    rowsOf<StateRow>(trx, states, bindings),
    rowsOf<MeasuredRow>(trx, measurements, {
      ...bindings,
      ...{ months: months.map(({ month }) => month), monthSeasons: months.map(({ code }) => code) },
    }),
  ]);
  const asked = found.map(({ studentId }) => ({ studentId, to: now.toISOString() }));
  const flagged = await studentsFlaggedForReview(trx, { organizationId, students: asked }, rules);
  const seasonsOf = measuredBySeason(measured);
  const byClass = new Map<number, CountedStudent[]>();
  for (const row of found) {
    const student = countedOf(row, flagged.has(row.studentId), seasonsOf.get(row.studentId) ?? new Map());
    const own = byClass.get(row.classId);
    if (own) own.push(student);
    else byClass.set(row.classId, [student]);
  }
  return byClass;
}

type StateRow = { readonly classId: number; readonly studentId: number; readonly profileOutcome: string | null } & (
  | LastRun
  | { readonly asOf: null }
);

interface MeasuredRow {
  readonly studentId: number;
  readonly season: Season;
  readonly subSkillCodes: readonly string[];
}

function countedOf(row: StateRow, isFlagged: boolean, measured: CountedStudent['measured']): CountedStudent {
  const { studentId } = row;
  return { studentId, run: row.asOf === null ? null : row, sufficiency: sufficiencyOf(row, isFlagged), measured };
}

function sufficiencyOf({ profileOutcome }: StateRow, isFlagged: boolean): SufficiencyBand {
  if (isFlagged) return 'contextual';
  return profileOutcome === 'resolved' ? 'sufficient' : 'insufficient';
}

function measuredBySeason(rows: readonly MeasuredRow[]): ReadonlyMap<number, Map<Season, readonly string[]>> {
  const byStudent = new Map<number, Map<Season, readonly string[]>>();
  for (const { studentId, season, subSkillCodes } of rows) {
    const own = byStudent.get(studentId);
    if (own) own.set(season, subSkillCodes);
    else byStudent.set(studentId, new Map([[season, subSkillCodes]]));
  }
  return byStudent;
}

const bindingsOf = (organizationId: string, classes: readonly CountedClassYear[]) => ({
  organizationId,
  classIds: classes.map(({ classId }) => classId),
  yearsFrom: classes.map(({ from }) => from),
  yearsTo: classes.map(({ to }) => to),
  zones: classes.map(({ timeZone }) => timeZone),
});

/** Aliases: `w` is a class with its school year, `e` a current enrollment. */
const members = `unnest(:classIds::bigint[], :yearsFrom::timestamptz[], :yearsTo::timestamptz[], :zones::text[])
    as w (class_id, year_from, year_to, zone)
  join enrollment e on e.organization_id = :organizationId and e.class_id = w.class_id and e.enrolled_to is null`;

const states = `
  select w.class_id, e.student_id, r.as_of, r.halted, r.tiles, r.rule_versions, p.outcome as profile_outcome
  from ${members}
  left join lateral (select r.as_of, r.halted, r.tiles, r.rule_versions from sse_run r
    where r.organization_id = ${anyOrganization} and r.student_id = e.student_id
      and r.as_of >= w.year_from and r.as_of < w.year_to
    order by r.seq desc limit 1) r on true
  left join lateral (select p.outcome from profile_assignment p
    where p.organization_id = ${anyOrganization} and p.student_id = e.student_id
      and p.resolved_at >= w.year_from and p.resolved_at < w.year_to
    order by p.id desc limit 1) p on true
  order by w.class_id, e.student_id`;

/** A session belongs to the season in which its answers were first evaluated, in the school's time zone. */
const measurements = `
  select evaluated.student_id, c.season, array_agg(distinct evaluated.sub_skill_code) as sub_skill_codes
  from (
    select e.student_id, w.zone, s.sub_skill_code, min(s.decided_at) as first_at
    from ${members}
    join sse_skill_snapshot s on s.organization_id = ${anyOrganization} and s.student_id = e.student_id
      and s.newest_unit_ref is not null and s.decided_at >= w.year_from and s.decided_at < w.year_to
    group by e.student_id, w.zone, s.sub_skill_code, split_part(s.newest_unit_ref, '/', 1)) evaluated
  join unnest(:months::integer[], :monthSeasons::text[]) as c (month, season)
    on c.month = extract(month from evaluated.first_at at time zone evaluated.zone)
  group by evaluated.student_id, c.season`;
