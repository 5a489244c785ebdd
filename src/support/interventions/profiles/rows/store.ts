// Stored profiles: reads the newest, appends new ones.
import type { StudentYear } from '#assessment/skill-status/index.ts';
import { appendEvents, type Lane, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import { profileChanged } from '../events.ts';
import type { NewProfileRow, ProfileContent } from './row.ts';

/** The newest profile of the school year of each student. */
export async function newestProfiles(
  trx: Trx,
  organizationId: string,
  students: readonly StudentYear[],
): Promise<Map<number, ProfileContent>> {
  const rows = await rowsOf<ProfileContent & { readonly studentId: number }>(
    trx,
    `select p.student_id, p.rule_id, p.profile_code, p.outcome, p.modifiers, p.anchor_role, p.anchor_domain_code,
       p.anchor_sub_skill_code, p.anchor_skill_group, p.next_recommended_data_action
     from unnest(:studentIds::bigint[], :schoolYears::text[]) as t (student_id, school_year)
     cross join lateral (select * from profile_assignment p
       where p.organization_id = ${anyOrganization} and p.student_id = t.student_id and p.school_year = t.school_year
       order by p.id desc limit 1) p`,
    {
      organizationId,
      studentIds: students.map(({ studentId }) => studentId),
      schoolYears: students.map(({ schoolYear }) => schoolYear),
    },
  );
  return new Map(rows.map((row) => [row.studentId, row]));
}

export type AppendedProfile = NewProfileRow & { readonly lane: Lane };

/** Appends the rows, and an event for each. */
export async function appendProfiles(trx: Trx, now: Date, profiles: readonly AppendedProfile[]): Promise<void> {
  const rows = profiles.map(({ lane: _lane, ...row }): NewProfileRow => row);
  const ids = await insertColumns(trx, 'profile_assignment', rows, columns);
  for (const lane of ['fresh', 'later'] as const) {
    const events = profiles.flatMap((row, at) => {
      if (row.lane !== lane) return [];
      const { organizationId, studentId, runId, profileCode, outcome } = row;
      const profileId = Number(ids[at]?.id ?? 0);
      return [newEvent(profileChanged, organizationId, { studentId, profileId, runId, profileCode, outcome })];
    });
    await appendEvents(trx, now, events, lane);
  }
}

const columns: ColumnTypes<NewProfileRow> = {
  ...{ organizationId: 'text', studentId: 'bigint', schoolYear: 'text', runId: 'text', ruleId: 'text' },
  ...{ profileCode: 'text', outcome: 'text', modifiers: 'text[]', anchorRole: 'text', anchorDomainCode: 'text' },
  ...{ anchorSubSkillCode: 'text', anchorSkillGroup: 'text', nextRecommendedDataAction: 'text' },
  ...{ resolvedAt: 'timestamptz', ruleVersions: 'jsonb', facts: 'jsonb' },
};
