// No one is imported as a guardian while guardians are not imported, and no class is left without a teacher by one who has
// not come.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import { classRow, enrollment, serveOneRoster, user12 } from '../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { storeConnection } from '../providers/connections.ts';
import { rosterSet } from '../sets.ts';
import { RosterAdmin, reported } from '../walk.ts';

const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
let tenant: Tenant;
let classId = 0;

test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(app.database.owner, { organizationId, schoolId: school.id, grade: 3 })).id;
});

test('a teacher of a OneRoster service who is a parent too is a teacher, and parents are not read', async () => {
  const { root, tokenUrl, clientId, clientSecret } = serveOneRoster(server, {
    classes: [classRow('c-1')],
    users: [
      user12('t-1', 'teacher', { email: 't1@example.org', roles: [{ role: 'teacher' }, { role: 'parent' }] }),
      user12('g-1', 'parent', { email: 'g1@example.org' }),
    ],
    enrollments: [enrollment('e-1', 'c-1', 't-1', 'teacher'), enrollment('e-2', 'c-1', 'g-1', 'parent')],
  });
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  const { id } = await storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
  await admin.map({ 'c-1': classId });
  assert.equal(reported(await admin.preview(id)), [
    'teacher t-1: create/new_person',
    'enrollment t-1@c-1: create/new_enrollment',
  ]);
});

test('a teacher who comes but is in conflict leaves the one who goes the last', async () => {
  const email = `${tenant.organizationId}@example.org`;
  const classes = [{ id: 'A', title: 'الأول' }];
  const first = { id: 't1', role: 'teacher', email };
  const { body } = await admin.upload(
    rosterSet({ classes, people: [first], enrolled: [{ course: 'A', person: 't1', role: 'teacher' }] }),
  );
  await admin.map({ A: classId });
  assert.is((await admin.commit((await admin.preview(body.id)).previewId)).status, 200);
  const people = [first, { id: 't2', role: 'teacher' }];
  await admin.upload(rosterSet({ classes, people, enrolled: [{ course: 'A', person: 't2', role: 'teacher' }] }));
  assert.equal(reported(await admin.preview(body.id)), [
    'teacher t2: conflict/missing_email_and_id',
    'enrollment t1@A: conflict/would_orphan_last_teacher',
    'enrollment t2@A: create/new_enrollment',
  ]);
});

test.run();
