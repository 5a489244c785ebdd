// Who may be the same child as a student whom a preview would create. The hints are found when the rows are read and are
// never stored.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { possibleDuplicates } from '#identity/people/index.ts';
import type { LmsPreviewRow, PersonRowFacts } from './rows.ts';
import type { PreviewRowView } from './schemas.ts';

export type Hints = NonNullable<PreviewRowView['possibleDuplicates']>;

/** Returns the hints of the rows that create a student, by the id of the row; two statements for any number of rows. */
export async function duplicatesOfRows(trx: Trx, rows: readonly LmsPreviewRow[]): Promise<ReadonlyMap<string, Hints>> {
  const fresh = rows.filter(({ entity, action }) => entity === 'student' && action === 'create');
  const [first] = fresh;
  if (!first) return new Map();
  const gradesOf = await gradesEntered(trx, first, fresh);
  const students = fresh.map(({ personExternalId, facts, userId }) => ({
    fullNameAr: (facts as PersonRowFacts).fullNameAr ?? '',
    grades: gradesOf.get(personExternalId) ?? [],
    ownId: userId,
  }));
  const hints = await possibleDuplicates(trx, first.organizationId, students);
  return new Map(fresh.map(({ id }, at) => [id, hints[at] ?? []]));
}

/** The grades of the classes in which the roster has the people. */
async function gradesEntered(
  trx: Trx,
  { organizationId, previewId }: LmsPreviewRow,
  people: readonly LmsPreviewRow[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = await rowsOf<{ personExternalId: string; grades: number[] }>(
    trx,
    `select r.person_external_id, array_agg(distinct (r.facts ->> 'classGrade')::integer) as grades
     from lms_preview_row r
     where r.organization_id = :organizationId and r.preview_id = :previewId and r.entity = 'enrollment'
       and r.person_external_id = any(:ids::text[]) and r.facts ->> 'role' = 'student'
       and (r.facts -> 'isOpen')::boolean and r.facts ->> 'classGrade' is not null
     group by r.person_external_id`,
    { organizationId, previewId, ids: people.map(({ personExternalId }) => personExternalId) },
  );
  return new Map(found.map(({ personExternalId, grades }) => [personExternalId, grades]));
}
