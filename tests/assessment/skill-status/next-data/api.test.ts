// The plans over HTTP: computed from stored results, equal bytes for equal facts, no writes, one query for a class.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { loadFacts } from '#assessment/skill-status/next-data/facts.ts';
import { inContext } from '#core/platform/db.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { child, wrongIndex } from '../../measurement/diagnostics/child.ts';

const app = useApp(test);
const { services } = app;
const { owner } = app.database;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

interface ActionBody {
  action: string;
  subSkillCodes: string[];
  formCode: string | null;
  itemsNeeded: number;
  minutes: number;
  ends: { subSkillCode: string; reason: string }[];
}
interface StudentBody {
  studentId: number;
  asOf: string | null;
  halted: boolean;
  actions: ActionBody[];
  totalMinutes: number;
  ruleVersions: Record<string, number>;
}
interface ClassBody {
  classId: number;
  asOf: string | null;
  sessions: {
    sessionNo: number;
    minutes: number;
    exceedsLength: boolean;
    entries: { studentId: number; actions: ActionBody[] }[];
  }[];
  totalMinutes: number;
  students: { halted: number; coverable: number };
}

const token = () => world.own.people.ADMIN.token;
const studentPlan = (id: number) => app.get<StudentBody>(`/api/sse/students/${id}/next-data-plan`, { token: token() });
const classPlan = (id: number, query = '') =>
  app.get<ClassBody>(`/api/sse/classes/${id}/next-data-plan${query}`, { token: token() });

const newClass = () =>
  buildClass(owner, { organizationId: world.own.organizationId, schoolId: world.own.school.id, grade: 1 });

/** A student who answered this many items of a first part, all wrong, and stopped. */
async function stoppedAfter(answers: number, classRow: ClassRow): Promise<UserRow> {
  const user = await buildStudent(owner, classRow);
  const kid = child(app, { ...user, token: await signIn(app, user) });
  const { body } = await kid.start();
  await kid.answerMany(body.sessionId, answers, wrongIndex);
  await kid.finish(body.sessionId);
  await recomputeStudents(services, world.own.organizationId, [user.id], 'diagnostic_finished');
  return user;
}

test('nothing measured: the required roles by the first part, asOf null', async () => {
  const user = await buildStudent(owner, await newClass());
  const { status, body } = await studentPlan(user.id);
  assert.is(status, 200);
  assert.is(body.asOf, null);
  assert.is(body.halted, false);
  assert.equal(
    body.actions.map(({ action, formCode, itemsNeeded }) => [action, formCode, itemsNeeded]),
    [['run_diagnostic', 'DIAG-G1-P1', 16]],
  );
  assert.is(body.ruleVersions['ssr/ssr'], 1);
});

test('a diagnostic stopped early: the halt needs the missing items', async () => {
  const user = await stoppedAfter(4 + 3, await newClass());
  const { body } = await studentPlan(user.id);
  assert.is(body.halted, true);
  const ends = body.actions.flatMap((action) => action.ends);
  assert.equal(
    ends.filter(({ reason }) => reason === 'INSUFFICIENT_ITEMS').map(({ subSkillCode }) => subSkillCode),
    ['PA_BLEND'],
  );
  assert.is(body.actions.length, 1);
  // One item of PA_BLEND, and DECODE and LANGUAGE with four items each.
  assert.is(body.actions[0]?.itemsNeeded, 1 + 4 + 4);
  assert.is(body.totalMinutes, body.actions[0]?.minutes);
});

test('equal facts give equal bytes; nothing is written', async () => {
  const user = await stoppedAfter(6, await newClass());
  const counts = async () => {
    const tables = ['sse_run', 'sse_recompute_request', 'outbox', 'diagnostic_session', 'practice_queue'];
    return Promise.all(tables.map((table) => owner(table).count()));
  };
  const before = await counts();
  const first = await studentPlan(user.id);
  app.clock.advance(5_000);
  assert.equal((await studentPlan(user.id)).body, first.body);
  assert.equal(await counts(), before);
});

test('a class is packed into sessions of the length asked for', async () => {
  const classRow = await newClass();
  const halted = await stoppedAfter(4 + 2, classRow);
  const fresh = await buildStudent(owner, classRow);
  const { status, body } = await classPlan(classRow.id);
  assert.is(status, 200);
  assert.equal(body.students, { halted: 1, coverable: 1 });
  const planned = body.sessions.flatMap(({ entries }) => entries.map(({ studentId }) => studentId));
  assert.equal([...planned].sort(), [halted.id, fresh.id].sort());
  const single = (await studentPlan(halted.id)).body;
  const entry = body.sessions.flatMap(({ entries }) => entries).find(({ studentId }) => studentId === halted.id);
  assert.equal(entry?.actions, single.actions);
  assert.equal(body.asOf, single.asOf);
  const short = (await classPlan(classRow.id, '?minutesPerSession=1')).body;
  assert.ok(short.sessions.length > 1);
  for (const { minutes, exceedsLength, entries } of short.sessions) {
    assert.is(exceedsLength, minutes > 1);
    if (exceedsLength) assert.is(entries.flatMap(({ actions }) => actions).length, 1);
  }
  assert.ok(body.sessions.every(({ minutes, exceedsLength }) => exceedsLength === minutes > 15));
  assert.equal((await classPlan(classRow.id, '?minutesPerSession=15')).body, body);
  for (const wrong of ['0', '1.5', 'x', '241'])
    assert.is((await classPlan(classRow.id, `?minutesPerSession=${wrong}`)).status, 422);
});

test('an empty class has an empty plan', async () => {
  const { body } = await classPlan((await newClass()).id);
  assert.equal(body.sessions, []);
  assert.is(body.totalMinutes, 0);
  assert.equal(body.students, { halted: 0, coverable: 0 });
});

test('facts of a class take as many statements as those of one student', async () => {
  const classRow = await newClass();
  const students = [await buildStudent(owner, classRow), await buildStudent(owner, classRow)];
  const statementsFor = (studentIds: readonly number[]) =>
    inContext(services.db, { organizationId: world.own.organizationId }, async (trx) => {
      let statements = 0;
      trx.on('query', () => {
        statements += 1;
      });
      const planned = {
        organizationId: world.own.organizationId,
        yearFrom: '2025-08-01T00:00:00.000Z',
        grade: 1,
        students: { ids: studentIds },
      };
      await loadFacts(trx, planned, app.clock.now());
      return statements;
    });
  const [one, many] = [await statementsFor([students[0]?.id ?? 0]), await statementsFor(students.map(({ id }) => id))];
  assert.ok(one > 0);
  assert.is(many, one);
});

test('the class’s teacher may read it; other teachers and principals may not', async () => {
  const classRow = await newClass();
  const teacher = await buildTeacher(owner, classRow);
  const path = `/api/sse/classes/${classRow.id}/next-data-plan`;
  assert.is((await app.get(path, { token: await signIn(app, teacher) })).status, 200);
  assert.is((await app.get(path, { token: world.own.people['TEACHER elsewhere'].token })).status, 403);
  assert.is((await app.get(path, { token: world.own.people.PRINCIPAL.token })).status, 403);
});

test.run();
