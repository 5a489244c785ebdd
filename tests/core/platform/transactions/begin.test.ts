// The beginning of a transaction: its settings in the message that begins it, and failures at its beginning.
import net from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, inContext, inReadOnlyContext, isDatabaseDown, runtimeRole } from '#core/platform/db.ts';
import { beginWith } from '#core/platform/transactions/begin.ts';
import { connect, useDatabase } from '../../../harness/database.ts';
import { buildSchool } from '../../../harness/factories.ts';

const { owner, app, ownerUrl } = useDatabase(test);

/** Records what a connection sends to the database, in portions that end where the database responds. */
async function portionsOf(work: (url: string) => Promise<unknown>): Promise<string[]> {
  const to = new URL(ownerUrl);
  const portions: string[] = [];
  let isOpen = false;
  const proxy = net.createServer((client) => {
    const database = net.connect(Number(to.port), to.hostname);
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (isOpen) portions[portions.length - 1] += text;
      else portions.push(text);
      isOpen = true;
      // Responses are delayed, so that pipelined messages arrive together.
      setTimeout(() => database.write(bytes), 20);
    });
    database.on('data', (bytes) => {
      isOpen = false;
      client.write(bytes);
    });
    client.on('error', () => database.destroy()).on('close', () => database.destroy());
    database.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const from = new URL(ownerUrl);
  from.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  try {
    await work(from.href);
    return portions;
  } finally {
    proxy.close();
  }
}

test('a read of two statements at once: begin, context and both statements are one portion', async () => {
  const { organizationId } = await buildSchool(owner);
  const portions = await portionsOf(async (url) => {
    const db = connect(url, { poolSize: 1, actAs: runtimeRole });
    // The first transaction of a process reads the key of contexts, and which tables have an organization.
    await inReadOnlyContext(db, { organizationId }, (trx) => trx.raw('select 1'));
    await inReadOnlyContext(db, { organizationId }, (trx) =>
      Promise.all([
        trx('school').where({ organizationId }).select('id'),
        trx('class').where({ organizationId }).select('id'),
      ]),
    );
    await db.destroy();
  });
  const together = portions.filter((portion) => portion.includes('begin read only')).slice(2);
  assert.is(together.length, 1);
  for (const part of ['set_config', 'from "school"', 'from "class"']) assert.ok(together[0]?.includes(part), part);
});

test('statements that do not wait for each other are one write, the end is another', async () => {
  const { organizationId } = await buildSchool(owner);
  const db = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  const ask = () =>
    inReadOnlyContext(db, { organizationId }, async (trx) => {
      await Promise.all([trx('school').select('id'), trx('class').select('id')]);
      await Promise.all([trx('school').select('name'), trx('class').select('name')]);
    });
  try {
    await ask();
    const writes = await writesDuring(db, ask);
    assert.is(writes, 3, 'beginning with the first two, the other two, the end');
  } finally {
    await db.destroy();
  }
});

/** Counts the writes of the only connection. */
async function writesDuring(db: Db, work: () => Promise<unknown>): Promise<number> {
  const connection = await db.client.acquireConnection();
  const { stream } = connection.connection;
  let writes = 0;
  for (const way of ['_write', '_writev']) {
    const write = stream[way].bind(stream);
    stream[way] = (...given: unknown[]) => {
      writes += 1;
      return write(...given);
    };
  }
  db.client.releaseConnection(connection);
  await work();
  return writes;
}

test('a value that could end the literal is refused before anything is sent', async () => {
  for (const value of ["x', true); drop table note; --", 'a b', 'é', '\\', 'a'.repeat(101)]) {
    const error = await inContext(app, { organizationId: value }, async () => 'let in').catch((thrown) => thrown);
    assert.instance(error, RangeError, value);
  }
});

for (const readOnly of [true, false]) {
  test(`a ${readOnly ? 'read' : 'write'} that fails at its beginning returns nothing, and its connection can be used again`, async () => {
    const single = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
    try {
      let reached = false;
      const wrong = beginWith(single, { role: 'no_such_role' }, { readOnly }, async (trx) => {
        reached = true;
        return trx.raw('select 1').catch(() => 'answered all the same');
      });
      const error: unknown = await wrong.catch((thrown) => thrown);
      assert.ok(error instanceof Error && /no_such_role/.test(error.message));
      assert.is(reached, readOnly, 'a write does not start');
      const { organizationId } = await buildSchool(owner);
      const rows = await inContext(single, { organizationId }, (trx) => trx('school').select('id'));
      assert.is(rows.length, 1);
    } finally {
      await single.destroy();
    }
  });
}

const pidOf = (db: Db, organizationId: string): Promise<number> =>
  inContext(db, { organizationId }, async (trx) => (await trx.raw('select pg_backend_pid() as pid')).rows[0].pid);

test('a connection whose session may be broken is not used again; one whose statement was wrong is', async () => {
  const { organizationId } = await buildSchool(owner);
  const single = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  const failing = (sql: string) =>
    inContext(single, { organizationId }, (trx) => trx.raw(sql)).catch(({ code }) => code);
  const raise = (code: string) => `do $$ begin raise exception 'x' using errcode = '${code}'; end $$`;
  try {
    const first = await pidOf(single, organizationId);
    assert.is(await failing('select 1 / 0'), '22012');
    assert.is(await failing(raise('unique_violation')), '23505');
    assert.is(await pidOf(single, organizationId), first);
    assert.is(await failing(raise('XX000')), 'XX000');
    const second = await pidOf(single, organizationId);
    assert.is.not(second, first);
    assert.is(await failing('select * from no_such_table'), '42P01');
    assert.is.not(await pidOf(single, organizationId), second);
  } finally {
    await single.destroy();
  }
});

test('when the rollback fails, the error of the work is the cause of its error', async () => {
  const { organizationId } = await buildSchool(owner);
  const single = connect(ownerUrl, { poolSize: 1, actAs: runtimeRole });
  const lost = new RangeError('what happened first');
  const work = inContext(single, { organizationId }, async (trx) => {
    const { rows } = await trx.raw('select pg_backend_pid() as pid');
    await owner.raw('select pg_terminate_backend(?, 5000)', [rows[0].pid]);
    throw lost;
  });
  try {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(isDatabaseDown(error));
    assert.is((error as Error).cause, lost);
  } finally {
    await single.destroy();
  }
});

test.run();
