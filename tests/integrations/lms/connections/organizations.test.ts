// Whose roster it is: an administrator's own organization, or the one that a person of the platform names; and what stays of it
// when a connection ends and another one comes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import { buildTenant } from '../../../harness/world.ts';
import { courses as classes, useSchool } from '../school.ts';
import { jsonFiles, type Roster, rosterSet } from '../sets.ts';
import { rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin, owner } = school;
const roster: Roster = { classes, people: [{ id: 's1' }], enrolled: [{ course: 'A', person: 's1' }] };
const files = { type: 'csv', files: jsonFiles(rosterSet(roster)) };
const mappings = () => [{ courseExternalId: 'A', classId: school.first }];

/** Each names the organization, or none. */
const asked = (token: string, organizationId: string | undefined, isConnected: boolean) => {
  const named = { ...(organizationId !== undefined && { organizationId }) };
  const query = organizationId === undefined ? '' : `?organizationId=${organizationId}`;
  return [
    () => app.post('/api/lms/connections/oneroster/token', { ...files, ...named }, { token }),
    () => app.post('/api/lms/oneroster/mappings', { mappings: mappings(), ...named }, { token }),
    () => app.get(`/api/lms/oneroster/courses${query}`, { token }),
    ...(isConnected ? [() => app.get(`/api/lms/connections${query}`, { token })] : []),
    ...(isConnected ? [() => app.get(`/api/lms/sync-runs${query}`, { token })] : []),
  ];
};

async function statuses(...input: Parameters<typeof asked>): Promise<number[]> {
  const found: number[] = [];
  for (const ask of asked(...input)) found.push((await ask()).status);
  return found;
}

test('a person of the platform names the organization, of which the lists are then; an administrator names no other', async () => {
  const token = await signIn(app, await buildSuperAdmin(owner));
  const { organizationId } = school.tenant;
  assert.equal(await statuses(token, undefined, false), [422, 422, 422]);
  assert.equal(await statuses(token, organizationId, true), [201, 200, 200, 200, 200]);
  const other = await buildTenant(app);
  assert.equal(await statuses(admin.token.token, other.organizationId, true), [404, 404, 404, 404, 404]);
  assert.equal(await statuses(token, 'c'.repeat(24), false), [404, 404, 404]);
  const list = async (query: string) =>
    (await app.get<{ items: object[] }>(`/api/lms/connections${query}`, { token })).body.items.length;
  assert.equal(
    [await list(`?organizationId=${organizationId}`), await list(`?organizationId=${other.organizationId}`)],
    [1, 0],
  );
});

test('a new connection is a new row: mappings and people are those of the one before', async () => {
  const id = await school.imported(roster);
  assert.is((await app.delete(`/api/lms/connections/${id}`, admin.token)).status, 204);
  const { body } = await admin.upload(rosterSet(roster));
  assert.is.not(body.id, id);
  const { organizationId } = school.tenant;
  const stored = await owner('lms_connection').where({ organizationId, id }).first('status');
  assert.is(stored.status, 'disconnected');
  const preview = await admin.preview(body.id);
  assert.equal(
    ['s1', 's1@A'].map((one) => rowOf(preview, one).reasonCode),
    ['unchanged', 'unchanged'],
  );
});

test.run();
