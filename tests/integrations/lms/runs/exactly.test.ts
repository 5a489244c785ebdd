// A commit that was taken back leaves every table as it was: no row of the organization differs, but in what both of them tell
// of themselves and in what is listed with each commit here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Enrolled, Person, Roster } from '../sets.ts';
import { differencesOf, snapshotOf } from './snapshots.ts';

const school = useSchool(test, { settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { owner } = school;

const place = newId();
const at = (name: string) => `${name}-${place}@school.example`;
const people: Person[] = [
  { id: 's1' },
  { id: 's2', given: 'ريم' },
  { id: 't1', role: 'teacher', given: 'سلمى', email: at('t1') },
  { id: 't2', role: 'teacher', given: 'هدى', email: at('t2') },
  { id: 'g1', role: 'guardian', given: 'أمل', email: at('g1'), agents: 's1' },
];
const enrolled: Enrolled[] = [
  { course: 'A', person: 's1' },
  { course: 'A', person: 's2' },
  { course: 'A', person: 't1', role: 'teacher', primary: 'true' },
  { course: 'B', person: 't2', role: 'teacher' },
];
const start: Roster = { classes, people, enrolled };
const withPeople = (...others: readonly Person[]): Roster => ({
  ...start,
  people: [...people.filter(({ id }) => !others.some((other) => other.id === id)), ...others],
});
const withEnrolled = (gone: readonly string[], ...come: readonly Enrolled[]): Roster => ({
  ...start,
  enrolled: [...enrolled.filter(({ course, person }) => !gone.includes(`${person}@${course}`)), ...come],
});

test.before.each(async () => {
  await owner('sign_in_name').whereLike('email', `%${place}@school.example`).delete();
});

/** Answers what differs after a commit of the roster, and its revert, from what was before. */
async function leftBy(roster: Roster, accepted?: 'mass_removal') {
  const { organizationId } = school.tenant;
  const id = await school.imported(start);
  const { previewId } = await school.again(id, roster);
  if (accepted) await school.admin.resolveAll(previewId, accepted, 'accept_lms');
  const before = await snapshotOf(owner, organizationId);
  const run = await school.commitPreview(previewId);
  const between = await snapshotOf(owner, organizationId);
  const { status, body } = await school.revert(run);
  assert.equal([status, body.kept], [200, 0], JSON.stringify(body));
  const after = await snapshotOf(owner, organizationId);
  return { written: Object.keys(differencesOf(before, between)).sort(), left: differencesOf(before, after) };
}

for (const [name, roster, tables] of [
  ['changed names', withPeople({ id: 's1', given: 'هيا' }), ['app_user', 'lms_person', 'user_search_key']],
  [
    'changed, new and other e-mails',
    withPeople({ id: 's1', email: at('s1') }, { id: 't1', role: 'teacher', given: 'سلمى', email: at('other') }),
    ['app_user', 'lms_person', 'sign_in_name', 'user_search_key'],
  ],
  ['status inactive', withPeople({ id: 's2', given: 'ريم', enabled: 'false' }), ['app_user', 'lms_person']],
  [
    'another leader, and one teacher for another',
    withEnrolled(
      ['t1@A', 't2@B'],
      { course: 'A', person: 't2', role: 'teacher', primary: 'true' },
      { course: 'B', person: 't1', role: 'teacher' },
    ),
    ['class_teacher', 'lms_enrollment'],
  ],
  [
    'a link of a guardian to a child who is here',
    withPeople({ id: 'g1', role: 'guardian', given: 'أمل', email: at('g1'), agents: '"s1,s2"' }),
    ['parent_student'],
  ],
] as const) {
  test(`nothing differs: ${name}`, async () => {
    const { written, left } = await leftBy(roster);
    assert.equal([written, left], [[...tables], {}]);
  });
}

test('nothing differs: an account that is linked by its address, and gets a guardian', async () => {
  const { organizationId } = school.tenant;
  await buildUser(owner, 'STUDENT', { organizationId, email: at('own'), fullNameAr: 'لمى العتيبي' });
  const { written, left } = await leftBy({
    ...withPeople({ id: 'own', given: 'لمى', email: at('own'), agents: 'g1' }),
    enrolled: [...enrolled, { course: 'B', person: 'own' }],
  });
  assert.equal(written, ['enrollment', 'external_identity', 'lms_enrollment', 'lms_person', 'parent_student']);
  assert.equal(Object.keys(left), ['enrollment']);
  assert.ok(left.enrollment?.come.every((row) => row.enrolled_to !== null));
});

test('students who moved and left are where they were: only the days until then stay written', async () => {
  const { written, left } = await leftBy(withEnrolled(['s1@A', 's2@A'], { course: 'B', person: 's1' }), 'mass_removal');
  assert.equal(written, ['enrollment', 'lms_enrollment']);
  assert.equal(Object.keys(left), ['enrollment']);
  const { gone = [], come = [] } = left.enrollment ?? {};
  const open = (rows: typeof gone) =>
    rows.filter((row) => row.enrolled_to === null).map((row) => [row.student_id, row.class_id]);
  assert.is(gone.length, 2);
  assert.equal(open(come), open(gone));
  const places = come.map((row) => [row.class_id, row.enrolled_to === null]).sort();
  assert.equal(
    places,
    [
      [school.first, false],
      [school.first, false],
      [school.first, true],
      [school.first, true],
      [school.second, false],
    ].sort(),
  );
});

test('new people, one of them a child of a guardian who is here: closed accounts stay, linked to no one', async () => {
  const roster = withPeople(
    { id: 's9', given: 'لمى', agents: '"g1,g9"' },
    { id: 't9', role: 'teacher', given: 'منى', email: at('t9') },
    { id: 'g9', role: 'guardian', given: 'نجود', email: at('g9') },
  );
  const { written, left } = await leftBy({
    ...roster,
    enrolled: [...enrolled, { course: 'A', person: 's9' }, { course: 'A', person: 't9', role: 'teacher' }],
  });
  assert.equal(written, [
    ...['app_user', 'class_teacher', 'enrollment', 'external_identity', 'lms_enrollment', 'lms_person'],
    ...['parent_student', 'sign_in_name', 'user_search_key'],
  ]);
  assert.equal(Object.keys(left).sort(), ['app_user', 'enrollment', 'lms_person', 'sign_in_name', 'user_search_key']);
  assert.equal(
    Object.values(left).flatMap(({ gone }) => gone),
    [],
  );
  const come = (table: string) => left[table]?.come ?? [];
  assert.equal(
    come('app_user').map((row) => [row.full_name_ar, row.email, row.status]),
    [
      ['نجود العتيبي', at('g9'), 'inactive'],
      ['لمى العتيبي', null, 'inactive'],
      ['منى العتيبي', at('t9'), 'inactive'],
    ],
  );
  assert.equal(
    come('lms_person').map((row) => [row.external_id, row.full_name_ar, row.email, row.active]),
    ['g9', 's9', 't9'].map((id) => [id, null, null, false]),
  );
  assert.equal(
    come('enrollment').map((row) => [row.class_id, row.enrolled_to === row.enrolled_from]),
    [[school.first, true]],
  );
});

test.run();
