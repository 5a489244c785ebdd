// PostgreSQL as requests use it: the run-time role, the tenant context, and lossless values.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bulkReadingIn,
  enterContext,
  inContext,
  inReadOnlyContext,
  isDatabaseDown,
  runtimeRole,
  type Trx,
  violatedConstraint,
} from '#core/platform/db.ts';
import { connect, useDatabase } from '../../harness/database.ts';
import { buildSchool, type SchoolRow } from '../../harness/factories.ts';

const { owner, app, ownerUrl } = useDatabase(test);
let ours: SchoolRow;
let theirs: SchoolRow;

test.before(async () => {
  ours = await buildSchool(owner);
  theirs = await buildSchool(owner);
});

const schoolIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

const sqlState = async (work: Promise<unknown>) => {
  const error = await rejection(work);
  return error instanceof Error && 'code' in error ? error.code : error;
};

test('without a context there are no rows', async () => {
  assert.equal(await app('school').select('id'), []);
  assert.equal(await app.transaction((trx) => trx('school').select('id')), []);
});

test('in the context of an organization exactly its rows exist', async () => {
  const rows = await inContext(app, { organizationId: ours.organizationId }, (trx) => trx('school').select('id'));
  assert.equal(schoolIds(rows), [ours.id]);
});

test('in the SUPER context every row exists', async () => {
  const rows = await inContext(app, 'SUPER', (trx) => trx('school').select('id'));
  assert.equal(schoolIds(rows), [ours.id, theirs.id].sort());
});

test('a reading over many rows plans for any values, until its transaction ends', async () => {
  const single = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  const context = { organizationId: ours.organizationId };
  const modeIn = async (trx: Trx) => {
    const { rows } = await trx.raw<{ rows: object[] }>("select current_setting('plan_cache_mode') as mode");
    return rows;
  };
  try {
    assert.equal(await bulkReadingIn(single, context)(modeIn), [{ mode: 'force_generic_plan' }]);
    assert.equal(await inReadOnlyContext(single, context, modeIn), [{ mode: 'auto' }]);
  } finally {
    await single.destroy();
  }
});

test('a row can neither be inserted for another organization nor moved there', async () => {
  const context = { organizationId: ours.organizationId };
  const event = { topic: 'test', payload: {}, createdAt: new Date() };
  const insert = (organizationId: string) =>
    inContext(app, context, (trx) => trx('outbox').insert({ ...event, organizationId }));
  await insert(ours.organizationId);
  assert.is(await sqlState(insert(theirs.organizationId)), '42501');
  const move = inContext(app, context, (trx) => trx('outbox').update({ organizationId: theirs.organizationId }));
  assert.is(await sqlState(move), '42501');
});

test('a row of another organization can neither be changed nor removed', async () => {
  const context = { organizationId: ours.organizationId };
  assert.is(await inContext(app, context, (trx) => trx('school').where({ id: theirs.id }).update({ name: 'x' })), 0);
  assert.is(await inContext(app, context, (trx) => trx('school').where({ id: theirs.id }).delete()), 0);
});

test('a context ends with its transaction, also on the same connection', async () => {
  const single = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  try {
    await inContext(single, 'SUPER', (trx) => trx('school').select('id'));
    assert.equal(await single('school').select('id'), []);
    await inContext(single, { organizationId: ours.organizationId }, (trx) => trx('school').select('id'));
    assert.equal(await single('school').select('id'), []);
  } finally {
    await single.destroy();
  }
});

test('a failed context leaves no changes', async () => {
  const failed = inContext(app, { organizationId: ours.organizationId }, async (trx) => {
    await trx('school').where({ id: ours.id }).update({ name: 'changed' });
    throw new Error('changed our mind');
  });
  assert.match(String(await rejection(failed)), 'changed our mind');
  const [row] = await owner('school').where({ id: ours.id }).select('name');
  assert.is(row.name, 'Test school');
});

test('entering an organization ends SUPER', async () => {
  const rows = await inContext(app, 'SUPER', async (trx) => {
    await enterContext(trx, { organizationId: theirs.organizationId });
    return trx('school').select('id');
  });
  assert.equal(schoolIds(rows), [theirs.id]);
});

test('a read-only context refuses a write', async () => {
  const write = inReadOnlyContext(app, 'SUPER', (trx) => trx('school').where({ id: ours.id }).update({ name: 'x' }));
  // The error is a defect of ours, and not a database that accepts no writes.
  const error = (await rejection(write)) as Error;
  assert.is(await sqlState(Promise.reject(error.cause)), '25006');
  assert.is(isDatabaseDown(error), false);
});

test('a login that owns the tables is bound as soon as it acts as the run-time role', async () => {
  const acting = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  try {
    const { rows } = await acting.raw('select current_user as role');
    assert.is(rows[0].role, runtimeRole);
    assert.equal(await acting('school').select('id'), []);
  } finally {
    await acting.destroy();
  }
});

const selected = async (expression: string) => (await app.raw(`select ${expression} as value`)).rows[0].value;

test('bigint: a safe integer is a number, anything larger an error', async () => {
  assert.is(await selected('9007199254740991::bigint'), Number.MAX_SAFE_INTEGER);
  assert.is(await selected('(-9007199254740991)::bigint'), Number.MIN_SAFE_INTEGER);
  assert.match(String(await rejection(selected('9007199254740992::bigint'))), 'bigint out of range');
  assert.is(await selected('count(*)'), 1);
});

test('numeric is a number', async () => assert.is(await selected('0.1234::numeric(6,4)'), 0.1234));

test('a date is its text', async () => {
  assert.is(await selected("date '2026-01-31'"), '2026-01-31');
});

test('an instant is ISO 8601 in UTC with milliseconds', async () => {
  assert.is(await selected("timestamptz '2026-01-31 11:00:00+03'"), '2026-01-31T08:00:00.000Z');
  assert.is(await selected("timestamptz '2026-01-31 08:00:00.123456+00'"), '2026-01-31T08:00:00.123Z');
  assert.is(await selected("timestamptz '0999-01-31 08:00:00+00'"), '0999-01-31T08:00:00.000Z');
});

test('instants are the same in a session of another time zone', async () => {
  const instants = app.transaction(async (trx) => {
    const values: unknown[] = [];
    for (const zone of ['Asia/Riyadh', 'Asia/Kolkata', 'America/St_Johns']) {
      await trx.raw(`set local time zone '${zone}'`);
      values.push((await trx.raw("select timestamptz '2026-01-31 08:00:00.5+00' as value")).rows[0].value);
    }
    return values;
  });
  assert.equal(await instants, Array(3).fill('2026-01-31T08:00:00.500Z'));
});

test('a violated constraint is known by its name, other errors are not', async () => {
  const duplicate = inContext(app, 'SUPER', (trx) =>
    trx('school').insert({ ...theirs, name: 'twice', country: 'SA', createdAt: new Date() }),
  );
  assert.is(violatedConstraint(await rejection(duplicate)), 'school_pkey');
  assert.is(violatedConstraint(await rejection(app.raw('select nothing'))), undefined);
  assert.is(violatedConstraint(new Error('x')), undefined);
});

test('"the database is down" is distinguished from "the statement is wrong"', async () => {
  const unreachable = connect('postgres://x:x@127.0.0.1:1/x');
  assert.is(isDatabaseDown(await rejection(unreachable.raw('select 1'))), true);
  await unreachable.destroy();
  assert.is(isDatabaseDown(await rejection(app.raw('select nothing'))), false);
});

test('a session that the server ends counts as down', async () => {
  const victim = connect(ownerUrl, { poolSize: 1 });
  const { rows } = await victim.raw('select pg_backend_pid() as pid');
  const asleep = rejection(victim.raw('select pg_sleep(30)').then(() => 'slept'));
  await owner.raw('select pg_terminate_backend(?)', [rows[0].pid]);
  assert.is(isDatabaseDown(await asleep), true);
  await victim.destroy();
});

test.run();
