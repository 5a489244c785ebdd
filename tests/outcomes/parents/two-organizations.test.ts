// A parent of two children in two organizations has an account in each: neither knows of the other, and no link crosses.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, signIn } from '../../harness/factories.ts';
import { decodingNeed, type Room, useClassroom } from '../../support/interventions/classroom.ts';
import { type Family, familyOf } from './family.ts';

const test = suite('a parent in two organizations');
const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;
const rests = ['diagnostics', 'growth', 'recommendations', 'letter'];

async function familyIn(room: Room): Promise<Family> {
  const student = await classroom.student(room);
  await classroom.measure([student], decodingNeed);
  return familyOf(classroom, student);
}

const status = async (childId: string | number, token: string, rest: string) =>
  (await http.get(`/api/parent/children/${childId}/${rest}`, { token })).status;

test('each account reads the child of its own organization, and the other one is not there, by either name', async () => {
  const [here, there] = [await familyIn(await classroom.room()), await familyIn(await classroom.room())];
  for (const [own, other] of [
    [here, there],
    [there, here],
  ] as const) {
    const { body } = await http.get<{ items: { childId: string }[] }>('/api/parent/children', { token: own.token });
    assert.equal(
      body.items.map(({ childId }) => childId),
      [own.childId],
    );
    for (const rest of rests) {
      assert.is(await status(own.childId, own.token, rest), 200, rest);
      for (const name of [other.childId, other.student.id])
        assert.is(await status(name, own.token, rest), 404, `${name} ${rest}`);
    }
  }
});

test('a parent is not linked to a child of another organization, whichever side asks', async () => {
  const [here, there] = [await familyIn(await classroom.room()), await familyIn(await classroom.room())];
  for (const [own, other] of [
    [here, there],
    [there, here],
  ] as const) {
    const admin = await buildUser(owner, 'ADMIN', { organizationId: own.student.organizationId });
    const token = await signIn(app, admin);
    const link = (studentId: number, parentUserId: number) =>
      http.post(`/api/students/${studentId}/parents`, { parentUserId }, { token });
    assert.is((await link(other.student.id, own.parent.id)).status, 404, 'the child of another organization');
    const answer = await link(own.student.id, other.parent.id);
    assert.is(answer.status, 404, 'the parent of another organization');
  }
  const links: { organizationId: string }[] = await owner('parent_student as l')
    .join('app_user as s', 's.id', 'l.student_id')
    .whereRaw('s.organization_id <> l.organization_id')
    .select('l.organizationId');
  assert.equal(links, []);
});

test.run();
