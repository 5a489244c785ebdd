// Every administrative write leaves audit entries, which are immutable and contain no personal data.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { capabilities } from '#app/capabilities.ts';
import type { Route } from '#core/http/route.ts';
import { auditedOf } from '#core/module/audit-writer.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { listAudit } from '#identity/audit/index.ts';
import { entryOf } from '../contract/entries/index.ts';
import { refusedByPermission } from '../contract/operations/access.ts';
import { tabled } from '../contract/operations/table.ts';
import { pathOf } from '../contract/requests/entry.ts';
import { aimAt } from '../contract/requests/route-caller.ts';
import { targetOf } from '../contract/requests/targets.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';
import { noGeneralLimits } from './support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Entry {
  readonly id: number;
  readonly operation: string;
  readonly actorUserId: number;
  readonly entity: string;
  readonly entityId: string;
  readonly action: string;
  readonly changedFields: string[];
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string;
  readonly at: string;
}

const latest = async (): Promise<Entry | undefined> => owner('audit_entry').orderBy('id', 'desc').first();
const countOf = async (operation: string) => (await owner('audit_entry').where({ operation }).select('id')).length;

const administrative = ['MANAGE_ORG', 'MANAGE_ROSTER', 'MANAGE_LMS_CONNECTIONS', 'SUPER_ADMIN'];
/**
 * A connection test stores nothing. The changes of a sync are audited when it commits, with its run and the user who
 * requested it (tests/integrations/lms/providers/syncs.test.ts). The entry of an OAuth start is tested with a provider
 * (tests/integrations/lms/providers/google/oauth.test.ts).
 */
const testedElsewhere = ['testLmsConnection', 'syncLmsNow', 'startLmsOauth'];
const isAdministrative = ({ allow, demo, operation }: Route) =>
  demo === 'blocked' &&
  !testedElsewhere.includes(operation) &&
  Array.isArray(allow) &&
  allow.some((permission) => administrative.includes(permission));
const audited = allRoutes().filter((route) => isAdministrative(route) && tabled(route.operation));

test('the administrative writes are found', () => assert.ok(audited.length >= 15));

for (const route of audited) {
  test(`${route.operation} leaves an entry`, async () => {
    const operation = tabled(route.operation);
    const byAdmin = operation !== undefined && refusedByPermission(operation, 'ADMIN') === undefined;
    const before = await countOf(route.operation);
    const caller = byAdmin ? world.own.people.ADMIN : world.superAdmin;
    const at = aimAt(targetOf(app, world.own));
    const request = (await entryOf(route.operation).request?.({ at, app, caller })) ?? {};
    if (route.operation === 'reactivateUser')
      await owner('app_user')
        .where(request.params ?? {})
        .update({ status: 'inactive' });
    const reply = await app.request(route.method.toUpperCase(), pathOf(route, request), {
      token: caller.token,
      ...(request.body !== undefined && { body: request.body }),
    });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    assert.ok((await countOf(route.operation)) > before);
  });
}

test('an entry has actor, action, entity, business time, old and new values', async () => {
  const { ADMIN } = world.own.people;
  const headers = { 'x-request-id': 'audit-test' };
  await app.patch(`/api/schools/${world.own.school.id}`, { name: 'Before' }, { token: ADMIN.token });
  await app.patch(`/api/schools/${world.own.school.id}`, { name: 'After' }, { token: ADMIN.token, headers });
  const entry = await latest();
  assert.is(entry?.operation, 'updateSchool');
  assert.is(entry?.actorUserId, ADMIN.id);
  assert.equal([entry?.entity, entry?.entityId, entry?.action], ['school', world.own.school.id, 'update']);
  assert.equal([entry?.before?.name, entry?.after?.name], ['Before', 'After']);
  assert.equal([entry?.changedFields, entry?.requestId], [['name'], 'audit-test']);
  assert.is(entry?.at, app.clock.now().toISOString());
});

test('simultaneous changes leave a chain of old and new values', async () => {
  const { ADMIN, organizationId } = { ...world.own.people, ...world.own };
  for (const path of [`/api/schools/${world.own.school.id}`, `/api/organizations/${organizationId}`]) {
    const last = (await latest())?.id ?? 0;
    await Promise.all(Array.from({ length: 6 }, () => app.patch(path, { name: newId() }, { token: ADMIN.token })));
    const entries: Entry[] = await owner('audit_entry').where('id', '>', last).orderBy('id');
    assert.is(entries.length, 6);
    for (const [at, { before }] of entries.slice(1).entries()) assert.is(before?.name, entries[at]?.after?.name, path);
  }
});

test('every table that a migration audits, and that is still there, is audited', async () => {
  const folder = path.resolve(import.meta.dirname, '../../migrations');
  const texts = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const named = texts.flatMap((name) =>
    [...fs.readFileSync(path.join(folder, name), 'utf8').matchAll(/audited\(knex, '(\w+)', '(\w+)'/g)].map(
      ([, table = '', id]) => [table, id],
    ),
  );
  const declared = auditedOf(capabilities);
  assert.ok(named.length >= 21);
  const tables: { name: string }[] = (await owner.raw('select tablename as name from pg_tables')).rows;
  const present = named.filter(([table]) => tables.some(({ name }) => name === table));
  assert.ok(present.length >= 19);
  for (const [table = '', id] of present) assert.is(declared[table]?.id, id, table);
});

test('no foreign key deletes rows of an audited table, which would leave no entry', async () => {
  const { rows } = await owner.raw(
    `
    select conname as name from pg_constraint
    where contype = 'f' and confdeltype <> 'a' and conrelid::regclass::text = any (?)`,
    [Object.keys(auditedOf(capabilities))],
  );
  assert.equal(rows, []);
});

test('only the names of personal columns are stored', async () => {
  const { ADMIN, TEACHER } = world.own.people;
  const email = `canary-${newId()}@example.org`;
  const body = { fullNameAr: 'كناري', email, password: 'canary password' };
  await app.patch(`/api/users/${TEACHER.id}`, body, { token: ADMIN.token });
  const entry = await latest();
  assert.equal(entry?.changedFields, ['email', 'full_name_ar', 'password_hash']);
  assert.not.match(JSON.stringify(await owner('audit_entry').select('*')), /canary|كناري|argon2|@example/);
});

test('a write that is refused or rolled back leaves no entry', async () => {
  const before = await latest();
  const { ADMIN } = world.own.people;
  const wrong = { organizationId: world.own.organizationId, name: 'x', country: 'EG' };
  assert.is((await app.post('/api/schools', wrong, { token: ADMIN.token })).status, 422);
  assert.is((await latest())?.id, before?.id);
});

test('entries cannot be changed, removed or forged for another organization by the run-time role', async () => {
  const own = { organizationId: world.own.organizationId };
  const refused = (work: Parameters<typeof inContext>[2]) =>
    inContext(app.database.app, own, work).then(
      () => 'accepted',
      () => 'refused',
    );
  assert.is(await refused((trx) => trx('audit_entry').update({ operation: 'nothing' })), 'refused');
  assert.is(await refused((trx) => trx('audit_entry').delete()), 'refused');
  const { id: _id, ...forged } = { ...(await owner('audit_entry').whereNotNull('organizationId').first()) };
  const row = { ...forged, organizationId: world.other.organizationId, before: null, after: null };
  assert.is(await refused((trx) => trx('audit_entry').insert(row)), 'refused');
});

interface Page {
  readonly items: { id: number; entity: string; actorUserId: number; organizationId: string }[];
  readonly nextCursor: string | null;
}

const read = (query: string, organizationId = world.own.organizationId, token = world.own.people.ADMIN.token) =>
  app.get<Page>(`/api/organizations/${organizationId}/audit${query}`, { token });

test('an administrator reads the own organization’s entries, newest first, page by page', async () => {
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const { status, body }: { status: number; body: Page } = await read(`?limit=5${cursor ? `&cursor=${cursor}` : ''}`);
    assert.is(status, 200);
    for (const { id, organizationId } of body.items) {
      assert.is(organizationId, world.own.organizationId);
      seen.push(id);
    }
    cursor = body.nextCursor;
  } while (cursor !== null);
  assert.equal(
    seen,
    [...seen].sort((a, b) => b - a),
  );
  const all = await owner('audit_entry').where({ organizationId: world.own.organizationId }).select('id');
  assert.is(new Set(seen).size, all.length);
});

test('filters: entity, actor, from, to', async () => {
  const { ADMIN } = world.own.people;
  for (const { entity } of (await read('?entity=user')).body.items) assert.is(entity, 'user');
  for (const { actorUserId } of (await read(`?actor=${ADMIN.id}`)).body.items) assert.is(actorUserId, ADMIN.id);
  assert.is((await read(`?actor=${world.superAdmin.id}&entity=school`)).body.items.length, 0);
  const now = app.clock.now().toISOString();
  assert.is((await read(`?to=${now}`)).body.items.length, 0);
  assert.ok((await read(`?from=${now}`)).body.items.length > 0);
  assert.is((await read('?from=yesterday')).status, 422);
});

test('entries of another organization are absent; without MANAGE_ORG the list is forbidden', async () => {
  assert.is((await read('', world.other.organizationId)).status, 404);
  assert.is((await read('', world.own.organizationId, world.own.people.PARENT.token)).status, 403);
});

test('the backoffice reads every organization’s entries through the same query', async () => {
  const { items } = await inContext(app.database.app, 'SUPER', (trx) => listAudit(trx, { limit: 100 }));
  assert.ok(items.some(({ organizationId }) => organizationId === world.own.organizationId));
});

test.run();
