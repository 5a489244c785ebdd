// Every change of a student's grade requests a recompute, and no other change of classes does.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import {
  buildClass,
  buildStudent,
  type ClassRow,
  type Insert,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';

const test = suite('grade changes');
const app = useApp(test);
const { owner } = app.database;
let tenant: Tenant;
test.before(async () => {
  tenant = await buildTenant(app);
});

const classOf = (grade: number, more: Insert = {}): Promise<ClassRow> => {
  const { organizationId, school } = tenant;
  return buildClass(owner, { organizationId, schoolId: school.id, grade, ...more });
};
const asAdmin = async () => ({ token: await signIn(app, tenant.people.ADMIN) });
const enroll = async ({ id }: ClassRow, student: UserRow) =>
  app.post(`/api/classes/${id}/students`, { studentIds: [student.id] }, await asAdmin());
const leave = async ({ id }: ClassRow, student: UserRow) =>
  app.delete(`/api/classes/${id}/students/${student.id}`, await asAdmin());
const change = async ({ id }: ClassRow, body: object) => app.patch(`/api/classes/${id}`, body, await asAdmin());

const askedFor = ({ id: studentId }: UserRow): Promise<number> =>
  inContext(owner, 'SUPER', async (trx) => {
    const rows = await trx('outbox')
      .where({ organizationId: tenant.organizationId, topic: 'student.grade_changed' })
      .whereRaw("(payload ->> 'studentId')::bigint = ?", [studentId]);
    return rows.length;
  });

interface GradeCase {
  readonly name: string;
  readonly asks: number;
  readonly go: (home: ClassRow, student: UserRow) => Promise<readonly { readonly status: number }[]>;
}

const cases: readonly GradeCase[] = [
  {
    name: 'a move to a class of another grade',
    asks: 1,
    go: async (_, student) => [await enroll(await classOf(2), student)],
  },
  {
    name: 'a move to a class of the same grade',
    asks: 0,
    go: async (_, student) => [await enroll(await classOf(1), student)],
  },
  {
    name: 'removed, and enrolled in another grade later',
    asks: 1,
    go: async (home, student) => [await leave(home, student), await enroll(await classOf(3), student)],
  },
  {
    name: 'removed, and enrolled in the same grade later',
    asks: 0,
    go: async (home, student) => [await leave(home, student), await enroll(await classOf(1), student)],
  },
  {
    name: 'removed alone: the last class still tells the grade',
    asks: 0,
    go: async (home, student) => [await leave(home, student)],
  },
  { name: 'the class gets another grade', asks: 1, go: async (home) => [await change(home, { grade: 4 })] },
  { name: 'the class gets the grade that it has', asks: 0, go: async (home) => [await change(home, { grade: 1 })] },
  {
    name: 'the class that a student has left gets another grade',
    asks: 1,
    go: async (home, student) => [await leave(home, student), await change(home, { grade: 2 })],
  },
  {
    name: 'a class of an earlier time gets another grade',
    asks: 0,
    go: async (home, student) => [await enroll(await classOf(1), student), await change(home, { grade: 2 })],
  },
  {
    name: 'removed, the class archived, and its grade changed',
    asks: 1,
    go: async (home, student) => [
      await leave(home, student),
      await change(home, { archived: true }),
      await change(home, { grade: 2 }),
    ],
  },
  {
    name: 'back into an old class whose grade has changed since',
    asks: 1,
    go: async (home, student) => [
      await enroll(await classOf(1), student),
      await change(home, { grade: 3 }),
      await enroll(home, student),
    ],
  },
];

for (const { name, asks, go } of cases) {
  test(`${name}: ${asks === 0 ? 'no' : 'one'} recompute`, async () => {
    const home = await classOf(1);
    const student = await buildStudent(owner, home);
    for (const { status } of await go(home, student)) assert.ok(status < 300, `${status}`);
    assert.is(await askedFor(student), asks);
  });
}

test('a student without a class has no grade', async () => {
  const { organizationId } = tenant;
  const home = await classOf(1);
  const newcomer = await buildStudent(owner, home);
  await owner('enrollment').where({ organizationId, studentId: newcomer.id }).delete();
  assert.ok((await enroll(home, newcomer)).status < 300);
  assert.is(await askedFor(newcomer), 0);
});

test.run();
