// Concurrent erasures and changes of teachers and students wait for locks without a deadlock.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { attachTeacher, detachTeacher } from '#identity/people/classes/class-teachers.ts';
import { createClass } from '#identity/people/classes/classes.ts';
import { enroll } from '#identity/people/classes/enrollment.ts';
import { erasePerson } from '#identity/people/personal-data/erasure.ts';
import { School, SchoolClass } from '#identity/people/records/organizations.ts';
import { User } from '#identity/people/records/users.ts';
import { connect } from '../../harness/database.ts';
import { buildClass, buildSchool, buildStudent, buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { watchLocks } from '../../harness/statements/lock-order.ts';

const app = useApp(test);
const { owner, app: db } = app.database;
/** Few at a time, so that no transaction waits for a connection. */
const [rounds, atOnce] = [4, 4];

/** A refusal because of a concurrent change is expected; a deadlock or a lock timeout fails the test. */
async function outcome(organizationId: string, work: (trx: Trx) => Promise<unknown>): Promise<string> {
  return inContext(db, { organizationId }, work).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError && error.status < 500) return error.code;
      throw error;
    },
  );
}

test('many concurrent erasures and changes of teachers and students', async () => {
  for (let round = 0; round < rounds; round++) await together();
});

async function together(): Promise<void> {
  const school = await buildSchool(owner);
  const { organizationId } = school;
  const place = { organizationId, schoolId: school.id };
  const classes = [await buildClass(owner, place), await buildClass(owner, place)];
  const many = Array.from({ length: atOnce });
  const teachers = await Promise.all(many.map(() => buildUser(owner, 'TEACHER', { organizationId })));
  const students = await Promise.all(many.map(() => buildStudent(owner, classes[0])));
  const now = app.clock.now();
  const target = async (trx: Trx, at: number) =>
    SchoolClass.query(trx)
      .findById(classes[at % 2]?.id ?? 0)
      .throwIfNotFound();
  await Promise.all(
    teachers.map(({ id }) => outcome(organizationId, async (trx) => attachTeacher(trx, await target(trx, 0), id))),
  );
  const ended = await Promise.all(
    many.flatMap((_, at) => {
      const [teacher, next] = [teachers[at]?.id ?? 0, teachers[(at + 1) % atOnce]?.id ?? 0];
      const student = students[at]?.id ?? 0;
      const ids = students.map(({ id }) => id);
      const erase = (id: number) =>
        outcome(organizationId, async (trx) =>
          erasePerson(trx, await User.query(trx).findById(id).throwIfNotFound(), now),
        );
      return [
        // One class from which the erasure removes the teacher, and another one.
        outcome(organizationId, async (trx) => attachTeacher(trx, await target(trx, 0), teacher)),
        outcome(organizationId, async (trx) => attachTeacher(trx, await target(trx, 1), teacher)),
        erase(teacher),
        outcome(organizationId, async (trx) => enroll(trx, await target(trx, at), [...ids].reverse(), now)),
        erase(student),
        outcome(organizationId, async (trx) => detachTeacher(trx, await target(trx, 0), next)),
        outcome(organizationId, async (trx) => {
          const from = await School.query(trx).findById(school.id).throwIfNotFound();
          const teacherUserIds = [next, teacher];
          await createClass(trx, from, { name: 'ص', grade: 1, academicYear: '2026-2027', teacherUserIds }, now);
        }),
      ];
    }),
  );
  assert.ok(ended.includes('done'));
  const left = await owner('class_teacher as t')
    .join('app_user as u', 'u.id', 't.teacherUserId')
    .where({ 'u.status': 'deleted' })
    .count('* as n')
    .first();
  assert.is(Number(left?.n), 0);
}

/** Uses its own connections, so that the findings do not fail this file. */
async function found(...statements: readonly string[]): Promise<string[]> {
  const own = connect(app.database.appUrl);
  const watch = watchLocks([own]);
  try {
    await inContext(own, { organizationId: 'none' }, async (trx) => {
      for (const statement of statements) await trx.raw(statement);
    });
    await watch.check(owner);
    return [];
  } catch (error) {
    return String(error).split('\n').slice(1);
  } finally {
    await own.destroy();
  }
}

const [account, aClass] = ['select id from app_user for share', 'select id from "class" for no key update'];

test('the watch finds a lock out of order, also one taken by a write or a foreign key', async () => {
  assert.equal(await found(account, aClass), []);
  assert.equal(await found(aClass, account), ['account after class']);
  assert.equal(await found(account, aClass, account), []);
  assert.equal(await found(aClass, "update app_user set locale = 'ar' where id = 0"), [
    'account (by a write) after class',
  ]);
  assert.equal(await found(account, aClass, "update app_user set locale = 'ar' where id = 0"), []);
  const refers = 'insert into auth_session select * from auth_session where false';
  assert.equal(await found('delete from handoff_code where user_id = 0', refers), [
    'account (by a row of auth_session) after handoffCode',
  ]);
  assert.equal(await found(account, 'delete from handoff_code where user_id = 0', refers), []);
  const removes = 'select id from app_user for update';
  const request = 'update sse_recompute_request set attempts = 0 where student_id = 0';
  assert.equal(await found(removes, request), ['recomputeRequest while something is being removed']);
  assert.equal(await found('select name from schedule s for update of s skip locked', account), []);
  assert.equal(await found('select id from cbm_alert for share'), ['rows of cbm_alert, which are in no list']);
});

test.run();
