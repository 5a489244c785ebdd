// Guardians come with the children whom a roster names, in either direction; and no one reads of them where that is not wanted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildClass, buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { type Person, type Roster, rosterSet } from './sets.ts';
import { RosterAdmin, reported, rowOf } from './walk.ts';

const app = useApp(test, { rules: true, settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { owner } = app.database;
let tenant: Tenant;
let classId = 0;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
});

const address = () => `${newId()}@home.example`;
/** Only children are in the course. */
const family = (people: readonly Person[]): Roster => ({
  classes: [{ id: 'A', title: 'الأول' }],
  people,
  enrolled: people.filter(({ role }) => role === undefined).map(({ id: person }) => ({ course: 'A', person })),
});

async function connect(roster: Roster): Promise<string> {
  const { status, body } = await admin.upload(rosterSet(roster));
  assert.is(status, 201, JSON.stringify(body));
  await admin.map({ A: classId });
  return body.id;
}

async function imported(roster: Roster): Promise<string> {
  const id = await connect(roster);
  const { status, body } = await admin.commit((await admin.preview(id)).previewId);
  assert.is(status, 200, JSON.stringify(body));
  return id;
}

const userOf = async (subject: string) => {
  const { organizationId } = tenant;
  const link = await owner('external_identity').where({ organizationId, provider: 'oneroster', subject }).first();
  return link && owner('app_user').where({ organizationId, id: link.userId }).first();
};

async function childrenOf(subject: string): Promise<string[]> {
  const { id: parentUserId } = await userOf(subject);
  const { organizationId } = tenant;
  const rows = await owner('parent_student as f')
    .join('external_identity as i', 'i.userId', 'f.studentId')
    .where({ 'f.organizationId': organizationId, 'f.parentUserId': parentUserId, 'i.provider': 'oneroster' })
    .orderBy('i.subject')
    .select('i.subject');
  return rows.map(({ subject: child }) => child);
}

test('a child that names its guardian and a guardian that names a child are linked alike', async () => {
  await imported(
    family([
      { id: 's1', agents: 'g1' },
      { id: 's2' },
      { id: 'g1', role: 'guardian', given: 'أمل', email: address() },
      { id: 'g2', role: 'parent', given: 'خالد', email: address(), agents: 's2' },
      { id: 'g3', role: 'relative', given: 'سعاد', email: address(), agents: '"s1,s2"' },
    ]),
  );
  const personas = await Promise.all(['g1', 'g2', 'g3'].map(async (id) => (await userOf(id)).primaryPersona));
  assert.equal(personas, ['PARENT', 'PARENT', 'PARENT']);
  assert.equal(
    [await childrenOf('g1'), await childrenOf('g2'), await childrenOf('g3')],
    [['s1'], ['s2'], ['s1', 's2']],
  );
});

test('a guardian shows the children of the courses that are read, and one without such a child is none of them', async () => {
  const preview = await admin.preview(
    await connect(
      family([
        { id: 's1', agents: 'g1' },
        { id: 'g1', role: 'guardian', email: address() },
        { id: 'g2', role: 'guardian', email: address(), agents: 'elsewhere' },
      ]),
    ),
  );
  assert.equal(reported(preview), [
    'guardian g1: create/new_person',
    'student s1: create/new_person',
    'enrollment s1@A: create/new_enrollment',
  ]);
  assert.equal((rowOf(preview, 'g1').external as { childExternalIds?: string[] }).childExternalIds, ['s1']);
});

test('a child who comes later is linked by the next import, and nothing else of the guardian changes', async () => {
  const guardian = { id: 'g1', role: 'guardian', email: address() };
  const id = await imported(family([{ id: 's1', agents: 'g1' }, guardian]));
  assert.is(rowOf(await admin.preview(id), 'g1').reasonCode, 'unchanged');
  await admin.upload(rosterSet(family([{ id: 's1', agents: 'g1' }, { id: 's2', agents: 'g1' }, guardian])));
  await admin.commit((await admin.preview(id)).previewId);
  assert.equal(await childrenOf('g1'), ['s1', 's2']);
});

test('a child who is here already and is named later makes a row of the guardian that changes no field', async () => {
  const guardian = { id: 'g1', role: 'guardian', email: address() };
  const id = await imported(family([{ id: 's1', agents: 'g1' }, { id: 's2' }, guardian]));
  assert.equal(await childrenOf('g1'), ['s1']);
  await admin.upload(rosterSet(family([{ id: 's1', agents: 'g1' }, { id: 's2', agents: 'g1' }, guardian])));
  const preview = await admin.preview(id);
  const row = rowOf(preview, 'g1');
  assert.equal([row.action, row.reasonCode, row.changes], ['update', 'changed', []]);
  await admin.commit(preview.previewId);
  assert.equal(await childrenOf('g1'), ['s1', 's2']);
  assert.is(rowOf(await admin.preview(id), 'g1').reasonCode, 'unchanged');
});

test('a guardian without address and identity can only be skipped, and no family link is made', async () => {
  const preview = await admin.preview(
    await connect(
      family([
        { id: 's1', agents: 'g1' },
        { id: 'g1', role: 'guardian' },
      ]),
    ),
  );
  const row = rowOf(preview, 'g1');
  assert.equal([row.action, row.reasonCode], ['conflict', 'missing_email_and_id']);
  const answers = [];
  for (const resolution of ['accept_lms', 'keep_amal', 'skip_row']) {
    answers.push((await admin.resolve(preview.previewId, row.rowId, resolution)).status);
  }
  assert.equal(answers, [422, 422, 200]);
  assert.equal((await admin.commit(preview.previewId)).body, {
    ...{ created: 2, updated: 0, skipped: 1, conflicts_remaining: 0 },
  });
  assert.is(await userOf('g1'), undefined);
});

test('an address of a teacher is no guardian: the teacher gets no child', async () => {
  const teacher = await buildUser(owner, 'TEACHER', { organizationId: tenant.organizationId, email: address() });
  const preview = await admin.preview(
    await connect(
      family([
        { id: 's1', agents: 'g1' },
        { id: 'g1', role: 'guardian', email: teacher.email ?? '' },
      ]),
    ),
  );
  const row = rowOf(preview, 'g1');
  assert.is(row.reasonCode, 'email_belongs_to_other_persona');
  assert.is((await admin.resolve(preview.previewId, row.rowId, 'accept_lms')).status, 422);
  await admin.resolve(preview.previewId, row.rowId, 'skip_row');
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.equal(await owner('parent_student').where({ parentUserId: teacher.id }), []);
});

test('the account of a parent that has the address is linked, and gets the child', async () => {
  const parent = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId, email: address() });
  await imported(
    family([
      { id: 's1', agents: 'g1' },
      { id: 'g1', role: 'guardian', email: parent.email ?? '' },
    ]),
  );
  assert.is((await userOf('g1')).id, parent.id);
  assert.equal(await childrenOf('g1'), ['s1']);
});

test.run();
