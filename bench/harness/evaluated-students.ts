// Students with new runs: each has a copy of a real one's newest run with its rows, and its event.
import { type Db, inContext, type Trx } from '../../src/core/platform/db.ts';
import { rowsOf } from '../../src/core/platform/sql.ts';
import { requestEvaluations } from '../../src/support/rti/evaluation/queue.ts';
import { buildSchool as buildHome } from '../../tests/harness/factories.ts';
import type { School } from './school.ts';

export interface EvaluatedStudents {
  readonly organizationId: string;
  /** Raises the events of all runs in one commit, and requests the evaluations that a run requests. */
  announce(): Promise<void>;
}

export interface Wanted {
  readonly count: number;
  readonly classSize: number;
  /** Called when they are enrolled, before any run. */
  readonly enrolled?: (organizationId: string) => Promise<unknown>;
}

export async function evaluatedStudents(owner: Db, real: School, wanted: Wanted): Promise<EvaluatedStudents> {
  const { id: schoolId, organizationId } = await buildHome(owner);
  await inContext(owner, 'SUPER', (trx) => people(trx, { organizationId, schoolId }, wanted));
  await wanted.enrolled?.(organizationId);
  await inContext(owner, 'SUPER', async (trx) => {
    for (const table of ['sse_run', 'sse_skill_snapshot', 'profile_assignment'])
      await copyRows(trx, table, organizationId, real);
  });
  await owner.raw('analyze');
  return { organizationId, announce: () => announce(owner, organizationId) };
}

async function people(
  trx: Trx,
  home: { readonly organizationId: string; readonly schoolId: string },
  { count, classSize }: Wanted,
): Promise<void> {
  await trx.raw(
    `insert into class (organization_id, school_id, name, grade, academic_year, created_at)
     select :organizationId, :schoolId, 'فصل ' || n, 2, '2026-2027', now() from generate_series(1, :classes::integer) n`,
    { ...home, classes: Math.ceil(count / classSize) },
  );
  await trx.raw(
    `with person as (
       insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, :count::integer)
       returning id),
     numbered as (select id, row_number() over (order by id) as position from person),
     home as (select id, row_number() over (order by id) as position from class where organization_id = :organizationId)
     insert into enrollment (organization_id, student_id, class_id, enrolled_from)
     select :organizationId, n.id, h.id, '2020-01-01'
     from numbered n join home h on h.position = (n.position - 1) / :classSize::integer + 1`,
    { organizationId: home.organizationId, count, classSize },
  );
}

/** The columns with values of the copy; all others are copied, except the numbers that the database generates. */
const own = (table: string): Readonly<Record<string, string>> => ({
  organization_id: ':organizationId',
  student_id: 'n.student_id',
  ...(table === 'sse_run' ? { id: copyOf('r.id') } : { run_id: copyOf('r.run_id') }),
});
const copyOf = (id: string): string => `'c' || substr(md5(${id} || n.student_id), 1, 23)`;

/** Copies the real students' runs in rotation. */
async function copyRows(trx: Trx, table: string, organizationId: string, real: School): Promise<void> {
  const columns = await rowsOf<{ name: string }>(
    trx,
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = :table and is_identity = 'NO' order by ordinal_position`,
    { table },
  );
  const names = columns.map(({ name }) => name);
  await trx.raw(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => own(table)[name] ?? `r.${name}`).join(', ')}
     from (select student_id, row_number() over (order by student_id) as position
       from enrollment where organization_id = :organizationId) n
     join (select student_id, row_number() over (order by student_id) as position
       from unnest(:studentIds::bigint[]) as t (student_id)) o on o.position = (n.position - 1) % :many::integer + 1
     join ${table} r on r.organization_id = :from and r.student_id = o.student_id
     order by n.position`,
    { organizationId, from: real.organizationId, studentIds: [...real.studentIds], many: real.studentIds.length },
  );
}

async function announce(owner: Db, organizationId: string): Promise<void> {
  await inContext(owner, 'SUPER', async (trx) => {
    await trx.raw(
      `insert into outbox (organization_id, topic, payload, created_at)
       select r.organization_id, 'macro.updated', jsonb_build_object('studentId', r.student_id, 'runId', r.id,
         'halted', r.halted, 'skills', s.skills, 'domains', '[]'::jsonb), now()
       from sse_run r
       join (select s.run_id, jsonb_agg(jsonb_build_object('snapshotId', s.id, 'outcome', s.outcome,
           'status', s.status, 'subSkillCode', s.sub_skill_code)) as skills
         from sse_skill_snapshot s where s.organization_id = :organizationId group by s.run_id) s on s.run_id = r.id
       where r.organization_id = :organizationId order by r.seq`,
      { organizationId },
    );
    const students = await rowsOf<{ studentId: number }>(
      trx,
      'select student_id from enrollment where organization_id = :organizationId',
      { organizationId },
    );
    const asked = students.map(({ studentId }) => ({ organizationId, studentId }));
    await requestEvaluations(trx, asked, new Date());
    await trx.raw("select pg_notify('outbox', '')");
  });
}
