// Commits, reverts and what a person does by hand at the same time: they come one after the other, and the one who comes second
// learns what has changed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { eventually } from '../../../faults/world.ts';
import { lockWaits } from '../../../harness/eventually.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';

const school = useSchool(test);
const { app, admin, owner } = school;
const patienceMs = 30_000;

const email = `${newId()}@school.example`;
const other = `${newId()}@school.example`;
const peopleOf = (given: string) => [
  { id: 's1', given },
  { id: 't1', role: 'teacher', email },
  { id: 't2', role: 'teacher', given: 'هدى', email: other },
];
/** The student is in one course, under another name in each, and a person teaches the first one. */
const roster = (course: string, teacher: string): Roster => ({
  classes,
  people: peopleOf(course === 'A' ? 'نورة' : 'هيا'),
  enrolled: [
    { course, person: 's1' },
    { course: 'A', person: teacher, role: 'teacher' },
  ],
});

test.before.each(async () => {
  await owner('sign_in_name').whereIn('email', [email, other]).delete();
});

/** The student has moved to the second class, and the first one has got another teacher. */
async function moved() {
  const id = await school.imported(roster('A', 't1'));
  const { previewId } = await school.again(id, roster('B', 't2'));
  const run = await school.commitPreview(previewId);
  const [s1, t1, t2] = await Promise.all(['s1', 't1', 't2'].map(async (one) => (await school.knownAs(one)).id));
  return { id, run, s1, t1, t2 };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
type Asked = () => Promise<Answer>;

const issueOf = ({ status, body }: Answer): string =>
  status < 300 ? 'done' : ((body as { details?: { issue: string }[] }).details?.[0]?.issue ?? String(status));

/** Both ask while a person holds a row that both will want, the first one first; then it is let go. */
async function atOnce(table: string, row: object, asked: readonly Asked[]): Promise<string[]> {
  const holder = await owner.transaction();
  const answers: Promise<Answer>[] = [];
  try {
    await holder(table).where(row).forUpdate();
    for (const ask of asked) {
      answers.push(ask());
      await eventually(`${answers.length} wait`, patienceMs, async () => (await lockWaits(owner)) >= answers.length);
    }
  } finally {
    await holder.rollback();
  }
  return (await Promise.all(answers)).map(issueOf);
}

const leaders = async () =>
  (await school.teachersOf(school.first)).map(({ teacherUserId, role }) => [teacherUserId, role]);

test('two reverts at once: one is done, the other is refused', async () => {
  const { run, s1 } = await moved();
  const connection = { organizationId: school.tenant.organizationId };
  const reported = await atOnce('lms_connection', connection, [() => school.revert(run), () => school.revert(run)]);
  assert.equal(reported.sort(), ['done', 'reverted']);
  assert.is(await school.openClass(s1), school.first);
});

for (const [name, isRevertFirst] of [
  ['a revert and then the next commit', true],
  ['the next commit and then a revert', false],
] as const) {
  test(`at once, ${name}: one of them is done, and the other is refused`, async () => {
    const { id, run, s1 } = await moved();
    const { previewId } = await school.again(id, roster('A', 't2'));
    const asked: Asked[] = [() => school.revert(run), () => admin.commit(previewId)];
    const connection = { organizationId: school.tenant.organizationId };
    const reported = await atOnce('lms_connection', connection, isRevertFirst ? asked : asked.reverse());
    const [revert, commit] = isRevertFirst ? reported : reported.reverse();
    assert.ok(['done drifted', 'changed_since done'].includes(`${revert} ${commit}`), `${revert} ${commit}`);
    assert.is(await school.openClass(s1), school.first);
  });
}

/** What is done by hand, what both want, and what may come of it: of the revert, by hand, and what stands then. */
const byHand = [
  {
    name: 'the student leaves the class',
    ask: ({ s1 }: Record<string, number>) => app.delete(`/api/classes/${school.second}/students/${s1}`, admin.token),
    row: ({ s1 }: Record<string, number>) => ['enrollment', { studentId: s1, enrolledTo: null }],
    stands: async ({ s1 = 0 }: Record<string, number>) => await school.openClass(s1),
    either: () => [
      ['done', '404', school.first],
      ['changed_since', 'done', null],
    ],
  },
  {
    name: 'the new teacher leaves the class',
    ask: ({ t2 }: Record<string, number>) => app.delete(`/api/classes/${school.first}/teachers/${t2}`, admin.token),
    row: () => ['class', { id: school.first }],
    stands: leaders,
    either: ({ t1 }: Record<string, number>) => [
      ['done', '404', [[t1, 'PRIMARY']]],
      ['changed_since', 'done', []],
    ],
  },
  {
    name: 'the student gets another name',
    ask: ({ s1 }: Record<string, number>) => app.patch(`/api/users/${s1}`, { fullNameAr: 'اسم هنا' }, admin.token),
    row: ({ s1 }: Record<string, number>) => ['app_user', { id: s1 }],
    stands: async ({ s1 }: Record<string, number>) => (await owner('app_user').where({ id: s1 }).first()).fullNameAr,
    either: () => [
      ['done', 'done', 'اسم هنا'],
      ['changed_since', 'done', 'اسم هنا'],
    ],
  },
] as const;

for (const { name, ask, row, stands, either } of byHand) {
  for (const isRevertFirst of [true, false]) {
    test(`at once, ${isRevertFirst ? 'a revert and then' : 'before a revert'}: ${name}`, async () => {
      const { run, s1, t1, t2 } = await moved();
      const ids = { s1, t1, t2 };
      const [table, where] = row(ids) as [string, object];
      const asked: Asked[] = [() => school.revert(run), () => ask(ids)];
      const reported = await atOnce(table, where, isRevertFirst ? asked : asked.reverse());
      const came = [...(isRevertFirst ? reported : reported.reverse()), await stands(ids)];
      const allowed = either(ids).map((one) => JSON.stringify(one));
      assert.ok(allowed.includes(JSON.stringify(came)), JSON.stringify(came));
    });
  }
}

test.run();
