// Changes by statements of the query builder are captured as rows before and after, and results of the statements stay the
// same.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { captureChanges, type RowChange } from '#core/platform/statements/audit-capture.ts';
import { SchoolClass } from '#identity/people/records/organizations.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildClass } from '../../../harness/factories.ts';

interface Stored {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolId: string;
  readonly grade: number;
  readonly academicYear: string;
}

const { owner, app } = useDatabase(test);
let row: Stored;

test.before(async () => {
  const { id } = await buildClass(owner, { name: 'A' });
  row = await owner('class').where({ id }).first();
});

class Undone extends Error {}

/** Returns the captured changes of `work` and the result of its statement. Everything is rolled back. */
async function captured<T>(work: (trx: Trx) => Promise<T>): Promise<{ changes: RowChange[]; answer: T | undefined }> {
  const changes: RowChange[] = [];
  let answer: T | undefined;
  const undone = inContext(app, { organizationId: row.organizationId }, async (trx) => {
    await captureChanges(trx, ['class', 'school'], async (found) => void changes.push(...found));
    answer = await work(trx);
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return { changes, answer };
}

const names = ({ changes }: { changes: readonly RowChange[] }) =>
  changes.map(({ table, before, after }) => [table, before?.name, after?.name]);

const another = (name: string) => {
  const { organizationId, schoolId, grade, academicYear } = row;
  return { organizationId, schoolId, grade, academicYear, name, createdAt: new Date() };
};

test('insert, update and delete, of one row and of many', async () => {
  const inserted = await captured(async (trx) => trx('class').insert([another('B'), another('C')]));
  assert.equal(names(inserted), [
    ['class', undefined, 'B'],
    ['class', undefined, 'C'],
  ]);
  const updated = await captured(async (trx) => trx('class').where({ id: row.id }).update({ name: 'B' }));
  assert.equal([names(updated), updated.answer], [[['class', 'A', 'B']], 1]);
  const deleted = await captured(async (trx) => trx('class').where({ id: row.id }).delete());
  assert.equal([names(deleted), deleted.answer], [[['class', 'A', undefined]], 1]);
});

test('each statement starts from the result of the one before it', async () => {
  const twice = await captured(async (trx) => {
    for (const name of ['B', 'C']) await trx('class').where({ id: row.id }).update({ name });
  });
  assert.equal(names(twice), [
    ['class', 'A', 'B'],
    ['class', 'B', 'C'],
  ]);
});

test('an upsert of an existing row is an update', async () => {
  const id = newId();
  const school = { id, organizationId: row.organizationId, country: 'SA', createdAt: new Date() };
  const put = (trx: Trx, name: string) =>
    trx('school')
      .insert({ ...school, name })
      .onConflict(['organizationId', 'id'])
      .merge(['name']);
  const both = await captured(async (trx) => {
    await put(trx, 'A');
    await put(trx, 'B');
  });
  assert.equal(names(both), [
    ['school', undefined, 'A'],
    ['school', 'A', 'B'],
  ]);
});

test('a statement returns only the columns that it names', async () => {
  const one = await captured(async (trx) =>
    trx('class').where({ id: row.id }).update({ name: 'B' }).returning(['id', 'name']),
  );
  assert.equal(one.answer, [{ id: row.id, name: 'B' }]);
  const all = await captured(async (trx) => trx('class').where({ id: row.id }).update({ name: 'B' }).returning('*'));
  assert.equal(Object.keys(all.answer?.[0] ?? {}).sort(), Object.keys(row).sort());
  const model = await captured(async (trx) => SchoolClass.query(trx).patchAndFetchById(row.id, { name: 'B' }));
  assert.equal([names(model), model.answer?.name], [[['class', 'A', 'B']], 'B']);
});

test('statements of savepoints are captured too; other tables, no rows and reads are not', async () => {
  const nested = await captured((trx) => trx.transaction(async (inner) => inner('class').update({ name: 'B' })));
  assert.ok(names(nested).some(([, before, after]) => before === 'A' && after === 'B'));
  const nothing = await captured(async (trx) => {
    await trx('class').where({ id: 0 }).update({ name: 'B' });
    await trx('class').where({ id: row.id });
    await trx('app_user').update({ locale: 'ar' });
  });
  assert.equal(nothing.changes, []);
});

test('if the listener fails, the statement fails', async () => {
  const outcome = await inContext(app, { organizationId: row.organizationId }, async (trx) => {
    await captureChanges(trx, ['class', 'school'], () => Promise.reject(new Error('not kept')));
    await trx('class').where({ id: row.id }).update({ name: 'Z' });
  }).catch((error: Error) => error.message);
  assert.is(outcome, 'not kept');
  assert.is((await owner('class').where({ id: row.id }).first()).name, 'A');
});

test('the last listener is called, and none after the transaction has ended', async () => {
  const heard: string[] = [];
  await inContext(app, { organizationId: row.organizationId }, async (trx) => {
    for (const who of ['first', 'second']) await captureChanges(trx, ['class'], async () => void heard.push(who));
    await trx('class').where({ id: row.id }).update({ name: 'A', grade: row.grade });
  });
  await inContext(app, { organizationId: row.organizationId }, async (trx) =>
    trx('class').where({ id: row.id }).update({ name: 'A' }),
  );
  assert.equal(heard, ['second']);
});

test('a missing table is an error', async () => {
  const missing = inContext(owner, 'SUPER', (trx) => captureChanges(trx, ['unheard_of'], async () => {}));
  const outcome = await missing.then(
    () => 'told',
    (error: Error) => error.message,
  );
  assert.match(outcome, 'unheard_of is not there');
});

test.run();
