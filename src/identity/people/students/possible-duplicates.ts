// Students who may be the same child as a new one: the same folded full name, in the same grade. A hint for administrators,
// which refuses nothing and is never stored.
import Type, { type Static } from 'typebox';
import { IntegerId, named, object, oneOf } from '#core/http/schemas.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

const maxHints = 5;

const PossibleDuplicate = named(
  'PossibleDuplicate',
  object({
    studentId: IntegerId,
    fullNameAr: Type.String(),
    /** The class of the open enrollment, else of the last one. */
    classId: IntegerId,
    status: oneOf(['active', 'inactive']),
  }),
);
export const PossibleDuplicates = Type.Array(PossibleDuplicate, { maxItems: maxHints });
type Hint = Static<typeof PossibleDuplicate>;

/** A new student. */
export interface NewStudent {
  readonly fullNameAr: string;
  /** The grades of the classes that the student enters. */
  readonly grades: readonly number[];
  /** The own account, which is no duplicate; null before it exists. */
  readonly ownId: number | null;
}

/** Returns the hints of each new student, in their order: active accounts first, then by id. It runs one statement. */
export async function possibleDuplicates(
  trx: Trx,
  organizationId: string,
  students: readonly NewStudent[],
): Promise<Hint[][]> {
  const hints = students.map((): Hint[] => []);
  if (students.length === 0) return hints;
  const found = await rowsOf<Hint & { position: number }>(trx, sameNameAndGrade, {
    organizationId,
    students: JSON.stringify(students.map((student, position) => ({ ...student, position }))),
  });
  for (const { position, ...hint } of found) hints[position]?.push(hint);
  return hints;
}

/** An erased student has an empty name, which equals no other. */
const sameNameAndGrade = `
  select w.position, d.student_id, d.full_name_ar, d.class_id, d.status
  from jsonb_to_recordset(:students::jsonb) as w ("fullNameAr" text, grades jsonb, "ownId" bigint, position integer)
  cross join lateral (
    select u.id as student_id, u.full_name_ar, c.id as class_id, u.status from app_user u
    cross join lateral (select e.class_id from enrollment e
      where e.organization_id = :organizationId and e.student_id = u.id
      order by e.enrolled_to is not null, e.id desc limit 1) e
    join class c on c.organization_id = :organizationId and c.id = e.class_id
    where u.organization_id = :organizationId and u.name_folded = fold_name(w."fullNameAr") and u.name_folded <> ''
      and u.primary_persona = 'STUDENT' and u.status in ('active', 'inactive') and u.id is distinct from w."ownId"
      and w.grades @> to_jsonb(c.grade)
    order by u.status <> 'active', u.id limit ${maxHints}) d
  order by w.position, d.status <> 'active', d.student_id`;
