// A service that begins to write its words otherwise changes no one, and one that calls everybody deleted changes no one unasked.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPreview } from '#integrations/lms/preview/assemble/build.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import { classRow, enrollment, serveOneRoster, user12 } from '../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { RosterAdmin } from '../walk.ts';
import { storeConnection } from './connections.ts';

const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
const { owner } = app.database;
let tenant: Tenant;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

const ids = Array.from({ length: 10 }, (_, at) => `s-${at}`);
const usersAs = (more: object) => [
  user12('t-1', 'teacher', { email: `t@${tenant.organizationId}.example`, ...more }),
  ...ids.map((id, at) => user12(id, 'student', { familyName: `عائلة${at}`, ...more })),
];
const enrollments = [
  enrollment('e-t', 'c-1', 't-1', 'teacher'),
  ...ids.map((id) => enrollment(`e-${id}`, 'c-1', id, 'student')),
];

async function imported() {
  tenant = await buildTenant(app);
  const { organizationId, school, people } = tenant;
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const service = serveOneRoster(server, { classes: [classRow('c-1')], users: usersAs({}), enrollments });
  const { root, tokenUrl, clientId, clientSecret } = service;
  const made = { organizationId, connectedBy: people.ADMIN.id };
  const { id } = await storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
  await admin.map({ 'c-1': classId });
  await synced(id);
  return { id, service };
}

async function synced(id: string) {
  const path = `/api/lms/connections/${id}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(path, undefined, admin.token);
  await runSync(app.services, { organizationId: tenant.organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ id: body.syncRunId }).first();
}

const inactive = async () => {
  const { organizationId } = tenant;
  const linked = owner('external_identity').where({ organizationId }).select('userId');
  return (await owner('app_user').where({ organizationId, status: 'inactive' }).whereIn('id', linked)).length;
};

for (const [what, more] of Object.entries({
  'status Active': { status: 'Active' },
  'status in no words that are known': { status: 'current' },
  'enabledUser 1': { enabledUser: 1 },
  'roles in capitals': {},
})) {
  test(`no one changes: ${what}`, async () => {
    const { id, service } = await imported();
    service.settings = { ...service.settings, users: usersAs(more) };
    const { state, counts } = await synced(id);
    assert.equal([state, counts.updated, counts.conflicts, await inactive()], ['succeeded', 0, 0, 0]);
  });
}

test('everybody deleted: the run is partial, the accounts wait, and stay active', async () => {
  const { id, service } = await imported();
  service.settings = { ...service.settings, users: usersAs({ status: 'tobedeleted' }) };
  const { state, counts } = await synced(id);
  assert.equal([state, counts.updated, counts.conflicts, await inactive()], ['partial', 0, 11, 0]);
});

test('a dismissed teacher whose enabledUser is 0 becomes inactive, where another one teaches', async () => {
  const { id, service } = await imported();
  const other = user12('t-2', 'teacher', { email: `u@${tenant.organizationId}.example`, givenName: 'هند' });
  const [teacher, ...students] = usersAs({});
  const settings = { ...service.settings, enrollments: [...enrollments, enrollment('e-u', 'c-1', 't-2', 'teacher')] };
  service.settings = { ...settings, users: [other, ...(teacher ? [teacher] : []), ...students] };
  await synced(id);
  service.settings = { ...settings, users: [other, { ...teacher, sourcedId: 't-1', enabledUser: 0 }, ...students] };
  assert.is((await synced(id)).state, 'succeeded');
  assert.is(await inactive(), 1);
});

test('a person who is deleted and stands in no enrollment becomes inactive; strangers of the list stay unread', async () => {
  const { id, service } = await imported();
  const [gone, ...others] = ids;
  const deleted = { status: 'tobedeleted' };
  service.settings = {
    ...service.settings,
    users: [
      ...usersAs({}).map((row) => (row.sourcedId === gone ? { ...row, ...deleted } : row)),
      user12('district-1', 'student', deleted),
      user12('district-2', 'guardian', deleted),
    ],
    enrollments: enrollments.filter(({ sourcedId }) => sourcedId !== `e-${gone}`),
  };
  const { state, counts } = await synced(id);
  assert.is(state, 'succeeded');
  assert.is(await inactive(), 1);
  assert.is(counts.created ?? 0, 0, 'nobody of the district is made');
  const { organizationId } = tenant;
  const account = await owner('app_user')
    .whereIn('id', owner('external_identity').where({ organizationId, subject: gone }).select('userId'))
    .first('status');
  assert.is(account.status, 'inactive');
  assert.is(others.length, 9);
  service.settings = { ...service.settings, users: usersAs({}), enrollments };
  await synced(id);
  assert.is(await inactive(), 0, 'who is listed again is active again');
});

test('a mapped class that is not listed any more is gone, and ends no one', async () => {
  const { id, service } = await imported();
  for (const classes of [[], [classRow('c-1', { status: 'tobedeleted' })]]) {
    service.settings = { ...service.settings, classes, enrollments: [] };
    const { previewId } = (await admin.ask(id)).body;
    await buildPreview(app.services, { organizationId: tenant.organizationId, id: previewId });
    const preview = await admin.read(previewId);
    assert.equal(preview.warnings, [{ code: 'course_gone', courseExternalId: 'c-1' }]);
    assert.is(preview.summary.update, 0);
  }
});

test.run();
