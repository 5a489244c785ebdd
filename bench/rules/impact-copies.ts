// Many students: each has a copy of a real one's newest run.
import { rowsOf } from '../../src/core/platform/sql.ts';
import { buildClass } from '../../tests/harness/factories.ts';
import type { School } from '../harness/school.ts';
import type { Service } from '../harness/service.ts';

/** The columns with values of the copy; all others are copied, except the numbers that the database generates. */
const own: Readonly<Record<string, string>> = {
  id: "'c' || substr(md5(random()::text || n.id), 1, 23)",
  organization_id: ':organizationId',
  student_id: 'n.id',
};

/** Returns an organization whose `count` students have the runs of the real ones, in rotation. */
export async function copyStudents(
  { owner }: Service,
  { organizationId: from, studentIds }: School,
  count: number,
): Promise<string> {
  const { id: classId, organizationId } = await buildClass(owner, { grade: 2 });
  const columns = await rowsOf<{ name: string }>(
    owner,
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = 'sse_run' and is_identity = 'NO' order by ordinal_position`,
    {},
  );
  const names = columns.map(({ name }) => name);
  await owner.raw(
    `with person as (
       insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, :count) returning id),
     home as (
       insert into enrollment (organization_id, student_id, class_id, enrolled_from)
       select :organizationId, id, :classId, '2020-01-01' from person),
     numbered as (select id, row_number() over (order by id) as position from person)
     insert into sse_run (${names.join(', ')})
     select ${names.map((name) => own[name] ?? `r.${name}`).join(', ')}
     from numbered n
     join (select student_id, row_number() over (order by student_id) as position from unnest(:studentIds::bigint[]) as t (student_id)) o
       on o.position = (n.position - 1) % :real + 1
     join sse_run r on r.organization_id = :from and r.student_id = o.student_id`.replaceAll('\n', ' '),
    { organizationId, classId, count, from, studentIds: [...studentIds], real: studentIds.length },
  );
  await owner.raw('analyze');
  return organizationId;
}
