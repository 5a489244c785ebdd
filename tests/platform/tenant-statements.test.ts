// Statements on rows of an organization name it: the query builder by itself, written ones because tests watch them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enterContext, inContext, type TenantContext, type Trx } from '../../src/platform/db.ts';
import { useDatabase } from '../support/database.ts';
import { buildSchool, type SchoolRow } from '../support/factories.ts';
import { watchStatements } from '../support/statements.ts';

const { owner, app } = useDatabase(test);
let own: SchoolRow;

test.before(async () => {
  own = await buildSchool(owner);
});

/** The statements of `work`, without those that begin and end the transaction and set its context. */
async function statementsOf(context: TenantContext, work: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const note = ({ sql }: { sql: string }) => seen.push(sql);
  app.on('query', note);
  await inContext(app, context, work).finally(() => app.off('query', note));
  return seen.filter((sql) => !/^(begin|commit|savepoint|release)|set_config|pg_attribute/i.test(sql));
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

test('what names it already is left alone, and tables of the platform are', async () => {
  const [once = ''] = await statementsOf(mine(), async (trx) => trx('school').where(mine()));
  assert.is(once.split('organization_id').length, 2);
  const [rules = ''] = await statementsOf(mine(), async (trx) => trx('rule_bundle').select('id'));
  assert.not.match(rules, 'organization_id');
});

test('the context that was entered last counts', async () => {
  const rows = await inContext(app, 'SUPER', async (trx) => {
    await enterContext(trx, { organizationId: 'of nobody' });
    const none: object[] = await trx('school');
    await enterContext(trx, mine());
    return [none.length, (await trx('school')).length];
  });
  assert.equal(rows, [0, 1]);
});

test('a written statement that does not name it is found, but for the platform’s role', async () => {
  const watch = watchStatements(app);
  await inContext(app, 'SUPER', (trx) => trx.raw('select id from school'));
  await inContext(app, mine(), (trx) =>
    trx.raw('select id from school where organization_id = ?', [own.organizationId]),
  );
  await watch.check(owner);
  await inContext(app, mine(), (trx) => trx.raw('select name from school'));
  const refusal: unknown = await watch.check(owner).catch((error: unknown) => error);
  assert.match(String(refusal), 'select name from school');
});

test.run();
