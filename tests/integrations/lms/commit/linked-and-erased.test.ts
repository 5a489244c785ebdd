// Who is known at the source under an identity that is a person's already, and who was erased before anything was imported.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { erasedHash } from '#integrations/lms/personal-data/erased.ts';
import { buildClass, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { type Roster, rosterSet } from '../sets.ts';
import { RosterAdmin, rowOf } from '../walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
let tenant: Tenant;
let classId = 0;

test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
});

const classes = [{ id: 'A', title: 'الأول' }];

async function connect(roster: Roster): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster));
  await admin.map({ A: classId });
  return body.id;
}

test('a linked teacher who is a student at the source cannot be accepted, alone or with others', async () => {
  const email = `linked-${tenant.organizationId}@example.org`;
  const as = (role: string): Roster => ({
    classes,
    people: [{ id: 'p1', role, email }],
    enrolled: [{ course: 'A', person: 'p1', role }],
  });
  const id = await connect(as('teacher'));
  const first = await admin.preview(id);
  assert.is((await admin.commit(first.previewId)).status, 200);
  await admin.upload(rosterSet(as('student')));
  const { previewId, ...second } = await admin.preview(id);
  const { rowId, reasonCode } =
    second.rows.find(({ entity }) => entity === 'student') ?? rowOf({ previewId, ...second }, 'p1');
  assert.is(reasonCode, 'email_belongs_to_other_persona');
  const resolved = await admin.resolve(previewId, rowId, 'accept_lms');
  assert.is(resolved.status, 422, JSON.stringify(resolved.body));
  const many = await admin.resolveAll(previewId, reasonCode, 'accept_lms');
  assert.is(many.status, 422, JSON.stringify(many.body));
});

test('who was erased before the import that would have linked is not brought back', async () => {
  const { organizationId } = tenant;
  const known = await buildUser(owner, 'STUDENT', { organizationId, email: `known-${organizationId}@example.org` });
  const { email } = await owner('app_user').where({ id: known.id }).first('email');
  const id = await connect({ classes, people: [{ id: 'k2', email }], enrolled: [{ course: 'A', person: 'k2' }] });
  assert.is.not(rowOf(await admin.preview(id), 'k2').local, null);
  const erased = await app.post(`/api/students/${known.id}/erasure`, {}, admin.token);
  assert.is(erased.status, 200, JSON.stringify(erased.body));
  assert.is((await owner('lms_erased_person').where({ organizationId })).length, 1);
  assert.not(JSON.stringify(await owner('lms_source_row').where({ organizationId })).includes(email));
  const next = await admin.preview(id);
  assert.equal(
    next.rows.filter(({ action }) => action !== 'skip'),
    [],
  );
});

/** A student whom an administrator has linked, or an import of long ago. */
async function linkedAndErased(provider: 'google' | 'oneroster', subject: string): Promise<void> {
  const { organizationId } = tenant;
  const { id: userId } = await buildUser(owner, 'STUDENT', { organizationId });
  await owner('external_identity').insert({ organizationId, userId, provider, subject, createdAt: new Date() });
  assert.is((await app.post(`/api/students/${userId}/erasure`, {}, admin.token)).status, 200);
}

test('who is known by a link alone, and was erased, does not come with a later roster', async () => {
  const subject = `linked-${tenant.organizationId}`;
  await linkedAndErased('oneroster', subject);
  const id = await connect({ classes, people: [{ id: subject }], enrolled: [{ course: 'A', person: subject }] });
  const preview = await admin.preview(id);
  const row = rowOf(preview, subject);
  assert.equal(
    [row.action, row.reasonCode, 'fullNameAr' in row.external && row.external.fullNameAr],
    ['skip', 'erased_person', null],
  );
  assert.equal((await admin.commit(preview.previewId)).body, {
    ...{ created: 0, updated: 0, skipped: 2, conflicts_remaining: 0 },
  });
});

test('of who was linked to Google the hash is kept under which Classroom is asked', async () => {
  const { organizationId } = tenant;
  const externalId = `google-${organizationId}`;
  await linkedAndErased('google', externalId);
  const provider = 'google_classroom';
  const personHash = erasedHash(app.services.cipher, { organizationId, provider, externalId });
  const kept = await owner('lms_erased_person').where({ organizationId }).select('provider', 'personHash');
  assert.equal(kept, [{ provider, personHash }]);
});

test.run();
