// Names of students on printed documents. Equal names in a class are made distinguishable, so the whole class is read.

import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type PaperName, paperNames, plainName, staffName } from '#rules/language/index.ts';

export interface StudentOnPaper extends PaperName {
  /** The name on documents for staff only. */
  readonly staffNameAr: string;
}

interface Row {
  readonly classId: number | null;
  readonly studentId: number;
  readonly fullNameAr: string;
  readonly externalId: string | null;
}

/** Returns the names by student id, in one statement, without erased students. */
export async function namesOnPaper(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, StudentOnPaper>> {
  const rows = await rowsOf<Row>(
    trx,
    `with asked as (
       select u.id, e.class_id from unnest(:studentIds::bigint[]) as t (id)
       join app_user u on u.organization_id = :organizationId and u.id = t.id and u.status <> 'deleted'
       left join enrollment e on e.organization_id = :organizationId and e.student_id = u.id and e.enrolled_to is null)
     select c.class_id, u.id as student_id, coalesce(u.full_name_ar, '') as full_name_ar, u.external_id
     from (select distinct class_id from asked where class_id is not null) c
     join enrollment m on m.organization_id = :organizationId and m.class_id = c.class_id and m.enrolled_to is null
     join app_user u on u.organization_id = :organizationId and u.id = m.student_id and u.status <> 'deleted'
     union all
     select null, u.id, coalesce(u.full_name_ar, ''), u.external_id
     from asked a
     join app_user u on u.organization_id = :organizationId and u.id = a.id
     where a.class_id is null`,
    { organizationId, studentIds: [...studentIds] },
  );
  const named = [...grouped(rows, ({ classId, studentId }) => classId ?? `alone ${studentId}`).values()].flatMap(
    (own) => {
      const names = paperNames(own);
      return own.map(({ studentId, fullNameAr, externalId }): [number, StudentOnPaper] => {
        const name = names.get(studentId) ?? { fullNameAr: plainName(fullNameAr), isShared: false };
        return [studentId, { ...name, staffNameAr: staffName(name, externalId) }];
      });
    },
  );
  return new Map(named);
}
