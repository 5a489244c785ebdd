// Whose packet it is, in words that people at a meeting know: read when it is printed, since names change and are erased.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';

export interface Whose {
  /** As it stands on paper, with its letter where another student of the class has the same name; null once erased. */
  readonly fullName: string | null;
  /** The number that the school knows the student by. */
  readonly externalId: string | null;
  /** Of the open enrollment, else of the last one; null for a student who was never in a class. */
  readonly className: string | null;
  readonly schoolName: string | null;
}

interface Row extends Whose {
  /** Students of the class with the same name in the order of their ids; empty without a class. */
  readonly classmates: readonly { readonly id: number; readonly name: string }[] | null;
}

export async function whosePacket(trx: Trx, organizationId: string, studentId: number): Promise<Whose> {
  const [row] = await rowsOf<Row>(
    trx,
    `select u.full_name_ar as full_name, u.external_id, c.name as class_name, s.name as school_name,
       (select json_agg(json_build_object('id', m.id, 'name', m.full_name_ar) order by m.id) from enrollment o
         join app_user m on m.organization_id = o.organization_id and m.id = o.student_id and m.status <> 'deleted'
         where o.organization_id = :organizationId and o.class_id = e.class_id and o.enrolled_to is null
           and m.full_name_ar is not null) as classmates
     from app_user u
     left join lateral (select class_id from enrollment e
       where e.organization_id = :organizationId and e.student_id = u.id
       order by e.enrolled_to is not null, e.id desc limit 1) e on true
     left join class c on c.organization_id = :organizationId and c.id = e.class_id
     left join school s on s.organization_id = :organizationId and s.id = c.school_id
     where u.organization_id = :organizationId and u.id = :studentId`,
    { organizationId, studentId },
  );
  if (!row) return { fullName: null, externalId: null, className: null, schoolName: null };
  const { fullName, externalId, className, schoolName, classmates } = row;
  return { fullName: fullName && withLetter(fullName, studentId, classmates ?? []), externalId, className, schoolName };
}

/** In the order in which Arabic lists count. */
const letters = [...'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'];

/** «(أ)», «(ب)», … after the names of students of one class who are called the same, in the order of their ids. */
export function withLetter(
  fullName: string,
  studentId: number,
  classmates: readonly { readonly id: number; readonly name: string }[],
): string {
  const same = classmates.filter(({ name }) => folded(name) === folded(fullName)).map(({ id }) => id);
  const place = same.indexOf(studentId);
  return same.length < 2 || place < 0 ? fullName : `${fullName} (${letters[place] ?? place + 1})`;
}

/** Names that look the same on paper: without vowel signs, stretching and the forms of alef, yeh and teh marbuta. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\u0640\p{M}\p{Cf}]/gu, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
