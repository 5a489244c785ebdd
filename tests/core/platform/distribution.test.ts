// The tables could be distributed over servers by organization: obstacles are found here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import {
  distribution,
  distributionStatements,
  placements,
  refusalsOf,
  returns,
  type TableFacts,
} from '../../../migrations/sql/distribution.ts';
import { connect, useDatabase } from '../../harness/database.ts';
import { skipped } from '../../harness/needs.ts';

const { owner } = useDatabase(test);

async function tablesOf(db: Db): Promise<TableFacts[]> {
  const { rows } = await db.raw(`
    select c.relname as name, c.relpersistence = 'u' as "isUnlogged",
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull) as "hasOrganization",
      array(select to_jsonb(array(select a.attname from unnest(i.indkey::int[]) with ordinality k (num, at)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num order by k.at))
        from pg_index i where i.indrelid = c.oid and i.indisunique) as keys,
      array(select jsonb_build_object('name', k.conname, 'to', k.confrelid::regclass::text, 'definition', pg_get_constraintdef(k.oid),
          'columns', array(select a.attname from unnest(k.conkey) with ordinality n (num, at)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.num order by n.at),
          'toColumns', array(select a.attname from unnest(k.confkey) with ordinality n (num, at)
            join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.num order by n.at))
        from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0) as "foreignKeys"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows;
}

test('every table of the schema is in the list once, and the list has no other', async () => {
  const listed = Object.values(distribution).flat().sort();
  assert.equal(listed, [...placements.keys()].sort());
  const names = (await tablesOf(owner)).map(({ name }) => name);
  assert.equal(names.sort(), listed);
});

test('no table, key or foreign key prevents distribution', async () => {
  assert.equal((await tablesOf(owner)).flatMap(refusalsOf), []);
});

test('only foreign keys of look-ups are omitted', async () => {
  const left = (await tablesOf(owner)).flatMap(({ name, foreignKeys }) =>
    foreignKeys.filter((key) => !returns(name, key)).map(({ to }) => `${name} → ${to}`),
  );
  assert.equal(left.sort(), [
    'external_identity → app_user',
    'external_identity → app_user',
    'handoff_code → app_user',
    'lms_oauth_state → lms_connection',
    'password_recovery → app_user',
    'quick_code → app_user',
    'refresh_token → auth_session',
    'sign_in_name → app_user',
  ]);
});

test('obstacles are found: a key or foreign key without organization, a row without one, an unlisted table', () => {
  const bare = { name: 'id_fkey', to: 'app_user', columns: ['user_id'], toColumns: ['id'], definition: '' };
  const table = { name: 'enrollment', keys: [['id']], foreignKeys: [bare], hasOrganization: false, isUnlogged: true };
  assert.is(refusalsOf(table).length, 4);
  assert.is(refusalsOf({ ...table, name: 'rule_change' }).length, 1);
  assert.equal(refusalsOf({ ...table, name: 'something' }), ['something is in no list']);
});

const citusUrl = process.env.TEST_CITUS_URL;

/** The database of the URL is empty, and has the extension. */
async function distribute(url: string): Promise<void> {
  const citus = connect(url, { poolSize: 1, statementTimeoutMs: null, asOwner: true });
  try {
    await migrate(citus, url);
    const statements = distributionStatements(await tablesOf(citus));
    await citus.raw('set citus.enable_unsafe_triggers = on');
    for (const statement of statements) await citus.raw(statement);
    const { rows } = await citus.raw(
      "select count(*) as spread from citus_tables where citus_table_type = 'distributed'",
    );
    assert.is(Number(rows[0].spread), distribution.distributed.length);
  } finally {
    await citus.destroy();
  }
}

if (citusUrl) test('Citus accepts every statement', () => distribute(citusUrl));
else skipped('distribution of the tables on a Citus', 'needs TEST_CITUS_URL, an empty database with the extension');

test.run();
