// Statements on rows of an organization name it: those of the query builder by themselves, written ones because tests check
// them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enterContext, inContext, type TenantContext, type Trx } from '#core/platform/db.ts';
import { useDatabase } from '../../harness/database.ts';
import { buildSchool, type SchoolRow } from '../../harness/factories.ts';
import { namelessTables } from '../../harness/statements/sql-scopes.ts';
import { watchStatements } from '../../harness/statements/statements.ts';

const { owner, app } = useDatabase(test);
let own: SchoolRow;

test.before(async () => {
  own = await buildSchool(owner);
});

/** Returns the statements of `work`, without those that begin and end the transaction and set its context. */
async function statementsOf(context: TenantContext, work: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const note = ({ sql }: { sql: string }) => seen.push(sql);
  app.on('query', note);
  await inContext(app, context, work).finally(() => app.off('query', note));
  return seen.filter((sql) => !/^(begin|commit|savepoint|release)|set_config|pg_attribute|context_key/i.test(sql));
}

const mine = () => ({ organizationId: own.organizationId });

const builders: Readonly<Record<string, (trx: Trx) => Promise<unknown>>> = {
  select: async (trx) => trx('school').where({ id: 'x' }),
  alias: async (trx) => trx('school as s').join('class as c', 'c.schoolId', 's.id').first('s.id'),
  update: async (trx) => trx('school').where({ id: 'x' }).update({ name: 'x' }),
  delete: async (trx) => trx('parentStudent').where({ childId: 'x' }).delete(),
  savepoint: (trx) => trx.transaction(async (inner) => inner('school').pluck('id')),
};

for (const [name, work] of Object.entries(builders)) {
  test(`${name}: the organization is named in its context, and in no other`, async () => {
    const [named = ''] = await statementsOf(mine(), work);
    assert.match(named, /"organization_id" = \$\d/);
    const [all = 'organization_id'] = await statementsOf('SUPER', work);
    assert.not.match(all, 'organization_id');
  });
}

const tables: ReadonlySet<string> = new Set(['school', 'class', 'enrollment', 'class_teacher']);
const taught = (trx: Trx) => trx('class_teacher').where({ teacherUserId: 7 });

const composed: Readonly<Record<string, (trx: Trx) => Promise<unknown>>> = {
  join: async (trx) => trx('class as c').join('school as s', 's.id', 'c.schoolId').select('c.id'),
  'left join by a function': async (trx) =>
    trx('class as c').leftJoin('school as s', (on) => on.on('s.id', 'c.schoolId').onVal('s.name', 'x')),
  'join to a table of the platform': async (trx) =>
    trx('organization as o').join('school as s', 's.organizationId', 'o.id').join('class as c', 'c.schoolId', 's.id'),
  'where in': async (trx) => trx('class').whereIn('id', taught(trx).select('classId')),
  'where in by a function': async (trx) =>
    trx('class').whereIn('id', (inner) => inner.from('class_teacher').select('classId')),
  'where exists inside of a bracket': async (trx) =>
    trx('class').where((either) =>
      either.where({ grade: 1 }).orWhereExists((inner) => inner.from('enrollment').whereRaw('class_id = class.id')),
    ),
  column: async (trx) => trx('class').select('id', taught(trx).count().as('teachers')),
  table: async (trx) => trx.from(taught(trx).as('t')).select('classId'),
  union: async (trx) => taught(trx).select('classId').union(trx('enrollment').select('classId')),
  'common table expression': async (trx) =>
    trx.with('t', taught(trx).select('classId')).from('class').join('t', 't.classId', 'class.id'),
  'update by another': async (trx) =>
    trx('class')
      .whereIn('schoolId', trx('school').where({ name: 'none' }).select('id'))
      .update({ grade: 1 }),
  'binding of a written condition': async (trx) => trx('class').whereRaw('id in ?', [taught(trx).select('classId')]),
  'binding of a written statement': (trx) => trx.raw('select count(*) from ? as t', [taught(trx).select('classId')]),
  'two levels': async (trx) =>
    trx('school').whereIn('id', trx('class').whereIn('id', taught(trx).select('classId')).select('schoolId')),
};

for (const [name, work] of Object.entries(composed)) {
  test(`${name}: each table has its organization named`, async () => {
    const [named = ''] = await statementsOf(mine(), work);
    assert.equal(namelessTables(named, tables), [], named);
    const [all = ''] = await statementsOf('SUPER', work);
    assert.ok(namelessTables(all, tables).length > 0, all);
  });
}

test('statements that name it are unchanged, and so are those on tables of the platform', async () => {
  const [once = ''] = await statementsOf(mine(), async (trx) => trx('school').where(mine()));
  assert.is(once.split('organization_id').length, 2);
  const [rules = ''] = await statementsOf(mine(), async (trx) => trx('rule_bundle').select('id'));
  assert.not.match(rules, 'organization_id');
});

test('the last entered context applies', async () => {
  const rows = await inContext(app, 'SUPER', async (trx) => {
    await enterContext(trx, { organizationId: 'of no one' });
    const none: object[] = await trx('school');
    await enterContext(trx, mine());
    return [none.length, (await trx('school')).length];
  });
  assert.equal(rows, [0, 1]);
});

test('a written statement that does not name it is found, except for the platform’s role', async () => {
  const watch = watchStatements([app]);
  await inContext(app, 'SUPER', (trx) => trx.raw('select id from school'));
  await inContext(app, mine(), (trx) =>
    trx.raw('select id from school where organization_id = ?', [own.organizationId]),
  );
  await watch.check(owner);
  await inContext(app, mine(), (trx) => trx.raw('select name from school'));
  const refusal: unknown = await watch.check(owner).catch((error: unknown) => error);
  assert.match(String(refusal), 'select name from school');
});

const written: readonly (readonly [sql: string, found: readonly string[]])[] = [
  ['select c.id from class c where c.organization_id = $1', []],
  ['select id from class where organization_id = $1 and id in (select class_id from enrollment)', ['enrollment']],
  ['select c.organization_id from class as c', ['class c']],
  ['select 1 from class c join school s on s.id = c.school_id where c.organization_id = $1', ['school s']],
  ['select 1 from class c join school s using (organization_id) where c.organization_id = $1', []],
  ['select 1 from class c, school s where (c.organization_id, c.id) = ($1, $2)', ['school s']],
  ['select 1 from class where organization_id = $1 union all select 1 from school', ['school']],
  ['with c as (select id from class) select 1 from c join school on school.organization_id = $1', ['class']],
  [
    'select 1 from unnest($1::text[]) u (id) where exists (select from class c where c.id = u.id) -- organization_id',
    ['class c'],
  ],
  ["update class set grade = 1 where id = 'organization_id'", ['class']],
  ['update class c set grade = 1 from school s where c.organization_id = $1 and s.organization_id = $1', []],
  ['delete from class c using school s where s.organization_id = $1', ['class c']],
  ['insert into class (organization_id, id) select s.organization_id, s.id from school s', ['school s']],
  ['insert into class (organization_id) values ($1) on conflict (organization_id, id) do update set grade = 1', []],
];

for (const [sql, found] of written) {
  test(`classified as ${found.length === 0 ? 'complete' : `without ${found}`}: ${sql}`, () => {
    assert.equal(namelessTables(sql, tables), found);
  });
}

test.run();
