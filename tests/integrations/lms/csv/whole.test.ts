// A set is read as it was uploaded or not at all, whatever happens to it while it is read.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { connectInThread, connectionsOf } from '#core/platform/db.ts';
import type { LmsConnection } from '#integrations/lms/connections/rows.ts';
import type { RosterRow } from '#integrations/lms/provider.ts';
import { openSource } from '#integrations/lms/provider.ts';
import { useSchool } from '../school.ts';
import { type Roster, rosterSet } from '../sets.ts';

const school = useSchool(test);
const { app, admin, owner } = school;
const dayMs = 24 * 3_600_000;

const rosterOf = (ids: readonly string[]): Roster => ({
  classes: [{ id: 'A', title: 'الأول' }],
  people: ids.map((id) => ({ id })),
  enrolled: ids.map((person) => ({ course: 'A', person })),
});

/** More than are read at once. */
const first = Array.from({ length: 2_001 }, (_, at) => `a${String(at).padStart(4, '0')}`);
const second = ['b1', 'b2', 'b3'];

async function uploaded(ids: readonly string[]): Promise<LmsConnection> {
  const { status, body } = await admin.upload(rosterSet(rosterOf(ids)));
  assert.ok(status === 201 || status === 200, JSON.stringify(body));
  return owner('lms_connection').where({ id: body.id }).first();
}

const age = (id: string, ms: number) =>
  owner('lms_source_row')
    .where({ connectionId: id })
    .update({ storedAt: new Date(app.clock.now().getTime() - ms) });

/** Something is done between the first and the second page. */
async function readWhile(connection: LmsConnection, doing: () => Promise<unknown>): Promise<RosterRow[]> {
  const db = connectInThread(connectionsOf(app.services.db));
  // Of its two connections the reader has one: what asks for that before the second page has it first.
  const busy = await db.transaction();
  let [pages, done] = [0, Promise.resolve<unknown>(undefined)];
  const throwIfAborted = () => {
    pages += 1;
    if (pages === 2) done = db.transaction(doing);
  };
  try {
    const signal = Object.assign(new AbortController().signal, { throwIfAborted });
    const rows: RosterRow[] = [];
    const source = openSource({ ...app.services, db }, connection);
    for await (const row of source.readRoster(['A'], { guardians: false, today: '2026-01-12', signal })) rows.push(row);
    await done;
    return rows;
  } finally {
    await busy.rollback();
    await db.destroy();
  }
}

const peopleOf = (rows: readonly RosterRow[]) =>
  rows.flatMap((row) => (row.kind === 'person' ? [row.externalId] : [])).sort();
const enrolledOf = (rows: readonly RosterRow[]) =>
  rows.flatMap((row) => (row.kind === 'enrollment' ? [row.personExternalId] : [])).sort();
const allGone = [{ kind: 'course_gone', courseExternalId: 'A' }];

test('another set is uploaded while one is read: the new one is read, and nothing of the old', async () => {
  const connection = await uploaded(first);
  const rows = await readWhile(connection, () => uploaded(second));
  assert.equal(peopleOf(rows), second);
  assert.equal(enrolledOf(rows), second);
});

test('nothing happens to it: it is read once, page by page', async () => {
  const rows = await readWhile(await uploaded(first), async () => {});
  assert.equal(peopleOf(rows), first);
  assert.equal(enrolledOf(rows), first);
});

test('its time is over while it is read: its courses are gone', async () => {
  const connection = await uploaded(first);
  assert.equal(await readWhile(connection, () => age(connection.id, 30 * dayMs)), allGone);
});

test('after thirty days what a purge has left of it is not read, and no delta is laid over it', async () => {
  const { id } = await uploaded(second);
  await admin.map({ A: school.first });
  const preview = async () => (await admin.preview(id)).warnings;
  await age(id, 30 * dayMs - 1_000);
  assert.equal(await preview(), []);
  await age(id, 30 * dayMs);
  await owner('lms_source_row').where({ connectionId: id, file: 'users', externalId: 'b1' }).delete();
  assert.equal(await preview(), [{ code: 'course_gone', courseExternalId: 'A' }]);
  const delta = await admin.upload(rosterSet({ mode: 'delta', people: [{ id: 'b1', given: 'ريم' }] }));
  const details = (delta.body as { details?: object[] }).details;
  assert.equal([delta.status, details?.[0]], [422, { field: 'files', issue: 'no_bulk_set' }]);
});

test.run();
