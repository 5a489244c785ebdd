// An address or an identity that another person gets while a commit or a revert is being written: that row is named, and nothing
// is written.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Person, Roster } from '../sets.ts';
import { type Preview, rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin, owner } = school;

const inA = (people: readonly Person[]): Roster => ({
  classes,
  people,
  enrolled: people.map(({ id: person }) => ({ course: 'A', person })),
});

/** A person puts the row in, `ask` comes to where it wants the same, and then the row is there. */
async function whileTaken<T>(table: string, row: object, ask: () => Promise<T>): Promise<T> {
  const holder = await owner.transaction();
  let answer: Promise<T>;
  try {
    await holder(table).insert(row);
    answer = ask();
    await eventually('it waits', async () => (await lockWaits(owner)) >= 1);
  } finally {
    await holder.commit();
  }
  return answer;
}

/** What an organization has, but for the history of syncs. */
async function contents(): Promise<string> {
  const { organizationId } = school.tenant;
  const tables = ['app_user', 'sign_in_name', 'external_identity', 'enrollment', 'lms_person', 'lms_enrollment'];
  const rows = tables.map(async (table) => [table, await owner(table).where({ organizationId }).orderByRaw('1, 2, 3')]);
  return JSON.stringify(await Promise.all(rows));
}

const expected = (preview: Preview, id: string, issue = 'drifted') => [
  409,
  [{ field: `rows.${rowOf(preview, id).rowId}`, issue }],
];

/** Another organization gives the address to a person at the same moment. */
async function elsewhere(email: string) {
  const { id: userId, organizationId } = await buildUser(owner, 'TEACHER', {});
  await owner('sign_in_name').where({ userId }).delete();
  return { userId, organizationId, email };
}

for (const isNew of [true, false]) {
  test(`the address of a person ${isNew ? 'new' : 'known'}: the row is named, and nothing is written`, async () => {
    const email = `${newId()}@school.example`;
    const id = await school.imported(inA([{ id: 's1' }]));
    const wanted = { id: isNew ? 's2' : 's1', email };
    const preview = await school.again(id, inA([{ id: 's0', given: 'هيا' }, wanted]));
    const [row, before] = [await elsewhere(email), await contents()];
    const { status, body } = await whileTaken('sign_in_name', row, () => admin.commit(preview.previewId));
    assert.equal([status, body.details], expected(preview, wanted.id));
    assert.is(await contents(), before);
  });
}

test('what the source calls a person', async () => {
  const id = await school.imported(inA([{ id: 's1' }]));
  const preview = await school.again(id, inA([{ id: 's1' }, { id: 's2' }]));
  const { organizationId } = school.tenant;
  const { id: userId } = await buildUser(owner, 'STUDENT', { organizationId });
  const link = { organizationId, userId, provider: 'oneroster', subject: 's2', createdAt: app.clock.now() };
  const { status, body } = await whileTaken('external_identity', link, () => admin.commit(preview.previewId));
  assert.equal([status, body.details], expected(preview, 's2'));
});

test('a sync ends with drift, and the next one asks about the address', async () => {
  const email = `${newId()}@school.example`;
  const id = await school.imported(inA([{ id: 's1' }]));
  await school.again(id, inA([{ id: 's1', email }]));
  const { organizationId } = school.tenant;
  const synced = async () => {
    const { body } = await app.post<{ syncRunId: string }>(`/api/lms/connections/${id}/sync-now`, {}, admin.token);
    await runSync(app.services, { organizationId, id: body.syncRunId });
    return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
  };
  const run = await whileTaken('sign_in_name', await elsewhere(email), synced);
  assert.equal([run.state, run.errorCode], ['error', 'drift']);
  assert.equal([(await synced()).counts.conflicts, (await school.userOf('s1')).email], [1, null]);
});

test('a former address while a commit is taken back', async () => {
  const [former, now] = [`${newId()}@school.example`, `${newId()}@school.example`];
  const id = await school.imported(inA([{ id: 's1', email: former }]));
  const preview = await school.again(id, inA([{ id: 's1', email: now }]));
  app.clock.advance(1_000);
  const run = await school.commitPreview(preview.previewId);
  const [row, before] = [await elsewhere(former), await contents()];
  const { status, body } = await whileTaken('sign_in_name', row, () => school.revert(run));
  assert.equal([status, body.details], expected(preview, 's1', 'changed_since'));
  assert.is(await contents(), before);
});

test.run();
