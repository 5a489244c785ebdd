// Taking a commit back, in one transaction: whom it made becomes inactive, what it changed is as before, who came leaves and
// who left comes again. What somebody has changed since is named, or kept where that is asked for.
import {
  attachTeachers,
  changeAccounts,
  detachTeachers,
  endSessions,
  lockAccounts,
  lockClasses,
  nameAccounts,
  placeStudents,
  todayOf,
} from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError, conflict } from '../../platform/errors.ts';
import { rowsOf } from '../../platform/sql.ts';
import { lockConnection } from '../connections/rows.ts';
import { giveBackMemory } from './memory.ts';
import { insertDoneRun, LmsSyncRun } from './rows.ts';
import { changedSince, ofRun, type PersonValues, revertible } from './since.ts';

const mostDetails = 100;

export interface RevertAnswer {
  readonly reverted: number;
  readonly kept: number;
}

/** CONFLICT `not_revertible`, `reverted`, or `changed_since` with `rows.<rowId>` of each unless those are to be kept. */
export async function revertRun(
  trx: Trx,
  run: LmsSyncRun,
  { skipChanged, clock }: { readonly skipChanged: boolean; readonly clock: () => Date },
): Promise<RevertAnswer> {
  const { organizationId, connectionId, provider, id } = run;
  await lockConnection(trx, { organizationId, id: connectionId });
  const now = clock();
  await requireRevertible(trx, run);
  const reverting: Reverting = { trx, run, now, today: await todayOf(trx, organizationId, now) };
  const grades = await lockAll(reverting);
  const changed = await changedSince(trx, run);
  if (changed.length > 0 && !skipChanged) throw changedRefusal(changed);
  const kept = new Set(changed);
  const people = (await revertible(trx, run, 'person')).filter(({ rowId }) => !kept.has(rowId));
  const enrollments = (await revertible(trx, run, 'enrollment')).filter(({ rowId }) => !kept.has(rowId));
  await revertPeople(reverting, people);
  await revertTeachers(reverting, enrollments);
  const students = enrollments.filter(({ before }) => before.role === 'student');
  const placings = students.map(({ userId, before }) => ({ studentId: userId, classId: before.classId ?? null }));
  await placeStudents(trx, { organizationId, today: reverting.today, now }, placings, grades);
  await revertNames(reverting, people);
  await giveBackMemory(trx, run, changed);
  const answer = { reverted: people.length + enrollments.length, kept: changed.length };
  const counts = { created: 0, updated: answer.reverted, skipped: answer.kept, conflicts: 0 };
  const done = { organizationId, connectionId, provider, trigger: 'revert', previewId: run.previewId } as const;
  await insertDoneRun(trx, { ...done, counts, revertsRunId: id }, now);
  return answer;
}

interface Reverting {
  readonly trx: Trx;
  readonly run: LmsSyncRun;
  readonly now: Date;
  readonly today: string;
}

async function requireRevertible(trx: Trx, { organizationId, id, trigger, endedAt }: LmsSyncRun): Promise<void> {
  if (trigger === 'revert' || endedAt === null) {
    throw conflict('not_revertible', 'Only a sync that has written something and has ended can be taken back.');
  }
  const before = await LmsSyncRun.query(trx).findOne({ organizationId, revertsRunId: id });
  if (before) throw conflict('reverted', 'This sync was taken back already.');
  const isKept = await trx('lms_change').where({ organizationId, runId: id }).first('position');
  if (!isKept) throw conflict('not_revertible', 'Nothing is known any more of what this sync has changed.');
}

const changedRefusal = (rowIds: readonly string[]) =>
  new AppError('CONFLICT', 'Some rows were changed since. Send skipChanged to leave those as they are.', {
    details: rowIds.slice(0, mostDetails).map((rowId) => ({ field: `rows.${rowId}`, issue: 'changed_since' })),
  });

async function lockAll({ trx, run }: Reverting): Promise<ReadonlyMap<number, number>> {
  const { organizationId, id: runId } = run;
  const [found] = await rowsOf<{ userIds: number[] | null; classIds: number[] | null }>(
    trx,
    `select array_agg(distinct c.user_id) as user_ids, array_agg(distinct k.id) filter (where k.id is not null) as class_ids
     from lms_change c
     cross join lateral (values ((c.before ->> 'classId')::bigint), ((c.after ->> 'classId')::bigint)) as k (id)
     where ${ofRun}`,
    { organizationId, runId },
  );
  await lockAccounts(trx, organizationId, found?.userIds ?? []);
  return lockClasses(trx, organizationId, found?.classIds ?? []);
}

type PersonChange = Awaited<ReturnType<typeof revertible>>[number];

/** An account that the commit has made stays, and is closed: things may have been measured of the person. */
async function revertPeople({ trx, run }: Reverting, people: readonly PersonChange[]): Promise<void> {
  const changes = people.map(({ userId, before }) => ({ userId, ...valuesBefore(before.person ?? null) }));
  await changeAccounts(trx, run.organizationId, changes);
}

const valuesBefore = (person: PersonValues | null) =>
  person === null
    ? { status: 'inactive' as const }
    : { fullNameAr: person.fullNameAr ?? '', email: person.email, status: person.status };

async function revertTeachers({ trx, run }: Reverting, enrollments: readonly PersonChange[]): Promise<void> {
  const teachers = enrollments.filter(({ before }) => before.role === 'teacher');
  const back = teachers.flatMap(({ userId: teacherUserId, before: { classId } }) =>
    classId ? [{ classId, teacherUserId, primary: false }] : [],
  );
  await attachTeachers(trx, run.organizationId, back);
  const gone = teachers.flatMap(({ userId: teacherUserId, after: { classId } }) =>
    classId ? [{ classId, teacherUserId }] : [],
  );
  await detachTeachers(trx, run.organizationId, gone);
}

async function revertNames({ trx, run, now }: Reverting, people: readonly PersonChange[]): Promise<void> {
  const renamed = people.filter(({ before, after }) => before.person && before.person.email !== after.person?.email);
  const names = renamed.map(({ userId, before }) => ({ userId, email: before.person?.email ?? null }));
  await nameAccounts(trx, run.organizationId, names);
  const closed = people.filter(({ before }) => !before.person || before.person.status === 'inactive');
  await endSessions(
    trx,
    run.organizationId,
    closed.map(({ userId }) => userId),
    now,
  );
}
