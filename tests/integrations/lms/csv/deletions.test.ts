// Rows that say no more than that they are deleted, classes that are gone, and roles that have ended.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { courses as classes, useSchool } from '../school.ts';
import { type Files, manifest, rosterSet } from '../sets.ts';
import { reported } from '../walk.ts';

const school = useSchool(test);

const deltas: Readonly<Record<string, Files>> = {
  'people that are deleted': {
    'manifest.csv': manifest({ users: 'delta' }),
    'users.csv':
      'sourcedId,status,dateLastModified,enabledUser,givenName,familyName,role\ns2,tobedeleted,2026-01-11T00:00:00.000Z,,,,\n',
  },
  'people that are deleted, in capitals and with an address that is none': {
    'manifest.csv': manifest({ users: 'delta' }),
    'users.csv': 'sourcedId,status,enabledUser,givenName,familyName,role,email\ns2,ToBeDeleted,,,,student,n/a\n',
  },
};
for (const [what, delta] of Object.entries(deltas)) {
  test(`a delta says no more than that: ${what}`, async () => {
    const roster = {
      classes,
      people: ['s1', 's2', 's3'].map((id) => ({ id })),
      enrolled: ['s1', 's2', 's3'].map((person) => ({ course: 'A', person })),
    };
    const id = await school.imported(roster);
    assert.is((await school.admin.upload(delta)).status, 200);
    const preview = await school.admin.preview(id);
    assert.ok(reported(preview).includes('student s2: update/changed'), reported(preview).join('\n'));
    await school.commitPreview(preview.previewId);
    const { status, fullNameAr } = await school.userOf('s2');
    assert.equal([status, fullNameAr], ['inactive', 'نورة العتيبي']);
    assert.equal(
      reported(await school.admin.preview(id)).filter((row) => !row.includes('skip/')),
      [],
    );
  });
}

test('a delta that deletes an enrollment by its id ends it', async () => {
  const people = ['s1', 's2', 's3'].map((id) => ({ id }));
  const id = await school.imported({
    ...{ classes, people },
    enrolled: people.map((one) => ({ id: `e-${one.id}`, course: 'A', person: one.id })),
  });
  const delta = {
    'manifest.csv': manifest({ enrollments: 'delta' }),
    'enrollments.csv': 'sourcedId,status,classSourcedId,userSourcedId,role\ne-s2,tobedeleted,,,\n',
  };
  assert.is((await school.admin.upload(delta)).status, 200);
  const preview = await school.admin.preview(id);
  assert.ok(reported(preview).includes('enrollment s2@A: update/ended'), reported(preview).join('\n'));
});

test('a class that is deleted, or unlike any status, is gone and ends no one', async () => {
  const people = ['s1', 's2'].map((id) => ({ id }));
  const id = await school.imported({
    classes,
    people,
    enrolled: people.map((one) => ({ course: 'A', person: one.id })),
  });
  for (const status of ['tobedeleted', 'closed']) {
    const delta = {
      'manifest.csv': manifest({ classes: 'delta', enrollments: 'delta' }),
      'classes.csv': `sourcedId,status,title\nA,${status},\n`,
      'enrollments.csv': 'sourcedId,status,classSourcedId,userSourcedId,role\nA-s1-student,tobedeleted,,,\n',
    };
    assert.is((await school.admin.upload(delta)).status, 200);
    const preview = await school.admin.preview(id);
    assert.equal(
      preview.warnings.filter((one) => JSON.stringify(one).includes('"A"')),
      [{ code: 'course_gone', courseExternalId: 'A' }],
    );
    assert.is(preview.summary.update, 0);
  }
});

test('a role that has ended does not count, in version 1.2', async () => {
  const teacher = rosterSet({ classes, people: [], enrolled: [{ course: 'A', person: 't1', role: 'teacher' }] });
  const files = (end: string) => ({
    ...teacher,
    'manifest.csv': manifest({ classes: 'bulk', users: 'bulk', enrollments: 'bulk', roles: 'bulk' }, '1.2'),
    'users.csv': 'sourcedId,givenName,familyName,email\nt1,هند,العتيبي,t1@roles.example\n',
    'roles.csv': `sourcedId,userSourcedId,roleType,role,beginDate,endDate\nr1,t1,primary,teacher,,\nr2,t1,secondary,student,2020-09-01,${end}\n`,
  });
  const { body } = await school.admin.upload(files('30.6.2021'));
  await school.admin.map({ A: school.first });
  assert.is(reported(await school.admin.preview(body.id))[0], 'teacher t1: create/new_person');
  await school.admin.upload(files('2099-06-30'));
  assert.is(reported(await school.admin.preview(body.id))[0], 'teacher t1: conflict/email_belongs_to_other_persona');
});

test.run();
