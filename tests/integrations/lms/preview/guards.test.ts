// Where a roster changes much at once, or hands an id to another person, a person looks at it first; what waits holds up nothing
// else (contract 80 §1, "Guards").
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isMany } from '#integrations/lms/engine/guards.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Enrolled, Person, Roster } from '../sets.ts';
import { type Preview, reported, rowOf } from '../walk.ts';

const school = useSchool(test);
const { admin, owner } = school;

const names = ['نورة', 'سارة', 'ريم', 'لمى', 'هيا', 'جود', 'دانة', 'شهد', 'لين', 'غلا', 'رهف', 'وعد'];
const students = (count: number): Person[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `s${String(at).padStart(2, '0')}`, given: names[at % names.length] ?? '' },
    family: `العائلة${at}`,
  }));
const inA = (people: readonly Person[]): Enrolled[] =>
  people.map(({ id, role }) => ({ course: 'A', person: id, ...(role !== undefined && { role }) }));
const rosterOf = (people: readonly Person[], enrolled = inA(people)): Roster => ({ classes, people, enrolled });
const withFirst = (people: readonly Person[], count: number, change: (one: Person, at: number) => Person) =>
  people.map((one, at) => (at < count ? change(one, at) : one));
const counted = (preview: Preview, reason: string) => reported(preview).filter((row) => row.endsWith(reason)).length;

test('many: at least five and more than a fifth, or all from two on', () => {
  const cases: readonly (readonly [number, number, boolean])[] = [
    ...([
      [4, 15, false],
      [5, 30, false],
      [5, 25, false],
      [5, 24, true],
      [5, 20, true],
      [6, 30, false],
    ] as const),
    ...([
      [7, 30, true],
      [1, 1, false],
      [2, 2, true],
      [3, 3, true],
      [2, 3, false],
      [4, 5, false],
      [5, 5, true],
    ] as const),
  ];
  for (const [count, base, expected] of cases) assert.is(isMany(count, base), expected, `${count} of ${base}`);
  assert.is(isMany(3, 3, { all: false }), false);
});

const removals: readonly (readonly [number, number, string])[] = [
  [4, 15, 'update/ended'],
  [5, 30, 'update/ended'],
  [5, 20, 'conflict/mass_removal'],
  [2, 2, 'conflict/mass_removal'],
];
for (const [leaving, of, expected] of removals) {
  test(`${leaving} of ${of} who leave a class: ${expected}`, async () => {
    const people = students(of);
    const id = await school.imported(rosterOf(people));
    const preview = await school.again(id, rosterOf(people, inA(people.slice(leaving))));
    assert.is(counted(preview, expected), leaving);
  });
}

test('a list that is suddenly empty ends no one unasked, also in several small classes', async () => {
  const people = students(4);
  const enrolled = people.map(({ id }, at) => ({ course: at === 0 ? 'A' : 'B', person: id }));
  const id = await school.imported(rosterOf(people, enrolled));
  const preview = await school.again(id, rosterOf(people, []));
  assert.is(counted(preview, 'conflict/mass_removal'), 4);
  assert.equal(preview.warnings, [
    { code: 'empty_roster', courseExternalId: 'A' },
    { code: 'empty_roster', courseExternalId: 'B' },
  ]);
});

test('the one who moves out of a class of another school year does not count as leaving it', async () => {
  const people = students(3);
  const id = await school.imported(rosterOf(people));
  const toB = people.map(({ id: person }) => ({ course: 'B', person }));
  const { organizationId } = school.tenant;
  assert.is(counted(await school.again(id, rosterOf(people, toB)), 'conflict/mass_removal'), 3);
  await owner('class').where({ organizationId, id: school.first }).update({ academicYear: '2020-2021' });
  assert.is(counted(await school.again(id, rosterOf(people, toB)), 'update/moved'), 3);
});

test('teachers and students are counted apart, and a teacher who changes classes moves', async () => {
  const teachers = ['t1', 't2', 't3'].map((id) => ({ id, role: 'teacher', email: `${id}@guards.example` }));
  await owner('sign_in_name').whereLike('email', '%@guards.example').delete();
  const people = [...students(9), ...teachers];
  const id = await school.imported(rosterOf(people));
  const toB = teachers.map(({ id: person, role }) => ({ course: 'B', person, role }));
  const moved = await school.again(id, rosterOf(people, [...inA(students(9)), ...toB]));
  assert.is(counted(moved, 'mass_removal'), 0);
  const gone = await school.again(id, rosterOf(people, inA(students(9))));
  assert.is(counted(gone, 'mass_removal') + counted(gone, 'would_orphan_last_teacher'), 3);
});

const inactive = (one: Person): Person => ({ ...one, status: 'tobedeleted' });
for (const [count, of, expected] of [
  [4, 15, 'update/changed'],
  [5, 20, 'conflict/mass_deactivation'],
  [2, 2, 'conflict/mass_deactivation'],
] as const) {
  test(`${count} of ${of} accounts that would become inactive: ${expected}`, async () => {
    const people = students(of);
    const id = await school.imported(rosterOf(people));
    const preview = await school.again(id, rosterOf(withFirst(people, count, inactive), inA(people)));
    assert.is(counted(preview, expected), count);
  });
}

test('what waits holds up nothing else, is accepted for all at once, and revert undoes it', async () => {
  const people = students(6);
  const id = await school.imported(rosterOf(people));
  const changed = withFirst(people, 6, inactive);
  const preview = await school.again(
    id,
    rosterOf([...changed, { id: 'new', given: 'أمل' }], inA([...people, { id: 'new' }])),
  );
  assert.is(counted(preview, 'conflict/mass_deactivation'), 6);
  assert.is(rowOf(preview, 'new').reasonCode, 'new_person');
  assert.equal((await admin.resolveAll(preview.previewId, 'mass_deactivation', 'accept_lms')).body, { changed: 6 });
  const run = await school.commitPreview(preview.previewId);
  assert.is((await school.userOf('s00')).status, 'inactive');
  assert.is((await school.revert(run)).status, 200);
  assert.is((await school.userOf('s00')).status, 'active');
});

const emailed = (people: readonly Person[], place: string) =>
  people.map((one) => ({ ...one, email: `${one.id}@${place}.guards.example` }));
const renamed = (one: Person, at: number): Person => ({ ...one, given: 'طفلة', family: `أخرى${at}` });

test('names that have no word in common: five of twenty wait, all of three do not count', async () => {
  await owner('sign_in_name').whereLike('email', '%guards.example').delete();
  const many = emailed(students(20), 'many');
  const id = await school.imported(rosterOf(many));
  const preview = await school.again(id, rosterOf(withFirst(many, 5, renamed)));
  assert.is(counted(preview, 'conflict/mass_rename'), 5);
  const four = await school.again(id, rosterOf(withFirst(many, 4, renamed)));
  assert.is(counted(four, 'update/changed'), 4);
});

test('names of a small school may all change, where the addresses stay', async () => {
  await owner('sign_in_name').whereLike('email', '%guards.example').delete();
  const few = emailed(students(3), 'few');
  const id = await school.imported(rosterOf(few));
  assert.is(counted(await school.again(id, rosterOf(withFirst(few, 3, renamed))), 'update/changed'), 3);
});

const identity: readonly (readonly [string, Partial<Person>, Partial<Person>, string])[] = [
  ['another name, and no address on both sides', {}, { given: 'ريم', family: 'القحطاني' }, 'conflict/identity_changed'],
  [
    'another name and another address',
    { email: 'one@guards.example' },
    { given: 'ريم', family: 'القحطاني', email: 'two@guards.example' },
    'conflict/identity_changed',
  ],
  [
    'another name with the same address',
    { email: 'one@guards.example' },
    { given: 'ريم', family: 'القحطاني', email: 'one@guards.example' },
    'update/changed',
  ],
  ['one word in common', {}, { given: 'ريم' }, 'update/changed'],
  ['the same word, written otherwise', {}, { given: 'ريم', family: 'العُتيبى' }, 'update/changed'],
];
for (const [name, before, after, expected] of identity) {
  test(`an id that may be another person's: ${name}: ${expected}`, async () => {
    await owner('sign_in_name').whereLike('email', '%guards.example').delete();
    const id = await school.imported(rosterOf([{ id: 's1', ...before }, ...students(3)]));
    const preview = await school.again(id, rosterOf([{ id: 's1', ...after }, ...students(3)]));
    assert.ok(reported(preview).includes(`student s1: ${expected}`), reported(preview).join('\n'));
  });
}

test('the last active teacher of a class does not become inactive unasked, one of two does', async () => {
  await owner('sign_in_name').whereLike('email', '%guards.example').delete();
  const [t1, t2, t3] = ['t1', 't2', 't3'].map((id) => ({ id, role: 'teacher', email: `${id}@guards.example` }));
  if (!t1 || !t2 || !t3) throw new Error('three teachers');
  const people = [t1, t2, t3, ...students(2)];
  const enrolled = [...inA([t1, t2, ...students(2)]), { course: 'B', person: 't3', role: 'teacher' }];
  const id = await school.imported(rosterOf(people, enrolled));
  const one = await school.again(id, rosterOf([inactive(t1), t2, t3, ...students(2)], enrolled));
  assert.ok(reported(one).includes('teacher t1: update/changed'));
  const last = await school.again(id, rosterOf([t1, t2, inactive(t3), ...students(2)], enrolled));
  assert.ok(reported(last).includes('teacher t3: conflict/would_orphan_last_teacher'), reported(last).join('\n'));
  // One leaves while the other becomes inactive: together they are the last.
  const both = await school.again(
    id,
    rosterOf(
      [inactive(t1), t2, t3, ...students(2)],
      enrolled.filter(({ person }) => person !== 't2'),
    ),
  );
  assert.ok(reported(both).includes('teacher t1: conflict/would_orphan_last_teacher'), reported(both).join('\n'));
  assert.ok(reported(both).includes('enrollment t2@A: conflict/would_orphan_last_teacher'));
});

test('a first import has nothing to lose', async () => {
  const id = await school.connect(rosterOf(students(30)));
  assert.is((await admin.preview(id)).summary.conflict, 0);
});

test.run();
