// Reads the classes that courses are mapped to, and suggests classes for the others.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Provider } from '../enums.ts';
import type { Course } from '../provider.ts';

interface Owner {
  readonly organizationId: string;
  readonly provider: Provider;
}

export interface Mapping {
  readonly courseExternalId: string;
  readonly classId: number;
}

export const mappingsOf = (trx: Trx, { organizationId, provider }: Owner): Promise<Mapping[]> =>
  rowsOf<Mapping>(
    trx,
    `select m.course_external_id, m.class_id from lms_mapping m
     join class c on c.organization_id = m.organization_id and c.id = m.class_id
     where m.organization_id = :organizationId and m.provider = :provider order by m.course_external_id`,
    { organizationId, provider },
  );

/** Returns, by course, the class of the same grade and name when there is exactly one. Names are compared folded. */
export async function suggestionsFor(
  trx: Trx,
  organizationId: string,
  courses: readonly Course[],
): Promise<ReadonlyMap<string, number>> {
  const graded = courses.filter(({ grade }) => grade !== null);
  if (graded.length === 0) return new Map();
  const rows = await rowsOf<Mapping>(
    trx,
    `select w.course_external_id, min(c.id) as class_id
     from unnest(:ids::text[], :names::text[], :grades::integer[]) as w (course_external_id, name, grade)
     join class c on c.organization_id = :organizationId and c.grade = w.grade and c.archived_at is null
       and fold_name(c.name) = fold_name(w.name)
     group by w.course_external_id having count(*) = 1`,
    {
      organizationId,
      ids: graded.map(({ courseExternalId }) => courseExternalId),
      names: graded.map(({ name }) => name),
      grades: graded.map(({ grade }) => grade ?? 0),
    },
  );
  return new Map(rows.map(({ courseExternalId, classId }) => [courseExternalId, classId]));
}
