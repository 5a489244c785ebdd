// timeout: 120s
// The process is killed in the middle of a roll-over: nothing of it stays, and the next call rolls the school over.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { schoolYearOfToday } from '../harness/clock.ts';
import { useDatabase } from '../harness/database.ts';
import { buildClass, buildStudent, buildTeacher, buildUser, password, passwordHash } from '../harness/factories.ts';
import { httpClient } from '../harness/fetch.ts';
import { installShippedRules } from '../harness/rules.ts';
import { onDatabase, ready, usePrograms } from '../start/program.ts';
import { eventually } from './world.ts';

const test = suite('killed roll-over');
const database = useDatabase(test);
const run = usePrograms(test);
const { owner } = database;

/** The school year before today's. */
const lastYear = (): string => {
  const first = Number(schoolYearOfToday().slice(0, 4)) - 1;
  return `${first}-${first + 1}`;
};

test('kill -9 between the enrollments and their events: the school is as before, then it is rolled over', async () => {
  await installShippedRules(owner);
  const old = await buildClass(owner, { academicYear: lastYear() });
  const { organizationId, schoolId } = old;
  await buildTeacher(owner, old);
  for (let n = 0; n < 5; n++) await buildStudent(owner, old);
  const admin = await buildUser(owner, 'ADMIN', { organizationId, passwordHash: await passwordHash() });
  const rowsOf = () =>
    Promise.all(['class', 'class_teacher', 'enrollment', 'school_roll_over'].map((table) => owner(table).orderBy(1)));
  const before = await rowsOf();
  const started = async () => {
    const program = run('src/main.ts', { ...onDatabase(database), WORKERS: 'none' });
    const [, address = ''] = await program.until(ready);
    const http = httpClient(() => address);
    const { body } = await http.post<{ accessToken: string }>('/api/auth/login', { email: admin.email, password });
    const path = `/api/schools/${schoolId}/roll-over`;
    const roll = () => http.post<{ leaving: number }>(path, { fromYear: lastYear() }, { token: body.accessToken });
    return { program, roll };
  };
  const first = await started();
  const blocker = await owner.transaction();
  try {
    await blocker.raw('lock table outbox in exclusive mode');
    const answer = first.roll().then(
      () => 'answered',
      () => 'cut off',
    );
    await eventually('the roll-over waits inside its transaction', 30_000, async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = 'outbox'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    first.program.child.kill('SIGKILL');
    assert.is(await answer, 'cut off');
  } finally {
    await blocker.rollback();
  }
  await eventually('the transaction of the killed process has ended', 30_000, async () => {
    const { rows } = await owner.raw(
      `select from pg_locks where relation = 'enrollment'::regclass and mode = 'RowExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length === 0;
  });
  assert.equal(await rowsOf(), before);
  const second = await started();
  const { status } = await second.roll();
  assert.is(status, 201);
  const moved = await owner('enrollment').where({ enrolledTo: null }).whereNot({ classId: old.id });
  assert.is(moved.length, 5);
});

test.run();
