// The steps of a revert. Each step takes its locks for all changes before the next one begins.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  changeAccounts,
  detachTeachers,
  endSessions,
  endSignInLinks,
  type IdentityLink,
  moveStudents,
  promoteToPrimary,
  reattachTeachers,
  setByEmail,
  setSignInEmails,
  unlinkFamilies,
  unlinkIdentities,
} from '#identity/people/index.ts';
import { rejectIfTaken } from '../cross-organization.ts';
import { identityOf } from '../enums.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import { type PersonValues, pagesOfChanges, type StoredChange } from './changes.ts';
import { findTakenAddresses } from './changes-since-commit.ts';
import { restoredChanges } from './restore-baseline.ts';
import type { LmsSyncRun } from './rows.ts';
import type { ClassTeaching } from './teaching.ts';

const maxDetails = 100;

export interface RevertContext {
  readonly trx: Trx;
  readonly run: LmsSyncRun;
  readonly now: Date;
  readonly today: string;
  /** The ids of rows that stay as they are. */
  readonly kept: ReadonlySet<string>;
}

/** Applies one step to all pages. Returns the number of changes. */
export async function eachPage(
  context: RevertContext,
  kind: 'person' | 'enrollment',
  step: (context: RevertContext, page: readonly StoredChange[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  for await (const page of pagesOfChanges(context.trx, context.run, kind)) {
    const changes = page.filter(({ rowId }) => !context.kept.has(rowId));
    await step(context, changes);
    count += changes.length;
  }
  return count;
}

export const changedRefusal = (rowIds: readonly string[]) =>
  new AppError('CONFLICT', 'Some rows were changed since. Send skipChanged to leave those as they are.', {
    details: rowIds.slice(0, maxDetails).map((rowId) => ({ field: `rows.${rowId}`, issue: 'changed_since' })),
  });

/** Deactivates accounts that the commit has created: assessments of the person may exist. Restores the others. */
export async function restorePeople({ trx, run }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  const changes = people.map(({ userId, before }) => ({ userId, ...valuesBefore(before.person ?? null) }));
  await changeAccounts(trx, run.organizationId, changes);
}

const valuesBefore = (person: PersonValues | null) =>
  person === null
    ? { status: 'inactive' as const }
    : { fullNameAr: person.fullNameAr ?? '', email: person.email, status: person.status };

export async function restoreStudents(
  { trx, run, today, now }: RevertContext,
  enrollments: readonly StoredChange[],
  grades: ReadonlyMap<number, string>,
): Promise<void> {
  const students = enrollments.filter(({ before }) => before.role === 'student');
  const placings = students.map(({ userId, before }) => ({ studentId: userId, classId: before.classId ?? null }));
  await moveStudents(trx, { organizationId: run.organizationId, today, now }, placings, grades);
}

export async function removeAddedLinks({ trx, run }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  await unlinkFamilies(
    trx,
    run.organizationId,
    people.flatMap(({ after: { links } }) => links ?? []),
  );
}

/** Throws CONFLICT `changed_since` when another account has taken a former address in the meantime. */
export const restoreAddresses = (context: RevertContext): Promise<void> =>
  rejectIfTaken(
    context.trx,
    async (trx) => void (await eachPage({ ...context, trx }, 'person', restoreAddressesOfPage)),
    async () => {
      throw changedRefusal((await findTakenAddresses(context.trx, context.run)).map(({ rowId }) => rowId));
    },
  );

async function restoreAddressesOfPage({ trx, run }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  const names = renamed(people).map(({ userId, before }) => ({ userId, email: before.person?.email ?? null }));
  await setSignInEmails(trx, run.organizationId, names);
}

const renamed = (people: readonly StoredChange[]) =>
  people.filter(({ before, after }) => before.person && before.person.email !== after.person?.email);

export async function endSignIns({ trx, run }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  const ids = renamed(people).map(({ userId }) => userId);
  await endSignInLinks(trx, run.organizationId, ids);
}

export async function unlinkPeople({ trx, run }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  const { organizationId, provider } = run;
  const linked = people.flatMap(({ userId, after: { isLinked, externalId } }) =>
    isLinked && externalId !== undefined ? [{ userId, subject: externalId }] : [],
  );
  await unlinkIdentities(trx, { organizationId, provider: identityOf(provider) }, linked);
}

export async function signOut({ trx, run, now }: RevertContext, people: readonly StoredChange[]): Promise<void> {
  const closed = people.filter(({ before }) => !before.person || before.person.status === 'inactive');
  const ids = closed.map(({ userId }) => userId);
  await endSessions(trx, run.organizationId, ids, now);
}

interface TeacherChange {
  readonly teacherUserId: number;
  readonly classId: number;
  readonly before: ClassTeaching;
}

const teachersOf = (enrollments: readonly StoredChange[]): TeacherChange[] =>
  enrollments.flatMap(({ userId: teacherUserId, before, after }) => {
    const classId = before.classId ?? after.classId;
    return before.teaching && classId ? [{ teacherUserId, classId, before: before.teaching }] : [];
  });

export async function restoreTeachers(
  { trx, run }: RevertContext,
  enrollments: readonly StoredChange[],
): Promise<void> {
  const back = teachersOf(enrollments).flatMap(({ teacherUserId, classId, before: { own } }) =>
    own ? [{ teacherUserId, classId, position: own.position }] : [],
  );
  await reattachTeachers(trx, run.organizationId, back);
}

/** Each row of a class names its former head teacher. */
export async function restoreHeads({ trx, run }: RevertContext, enrollments: readonly StoredChange[]): Promise<void> {
  const leaders = new Map(teachersOf(enrollments).map(({ classId, before: { leader } }) => [classId, leader]));
  await promoteToPrimary(
    trx,
    run.organizationId,
    [...leaders].flatMap(([classId, teacherUserId]) => (teacherUserId === null ? [] : [{ classId, teacherUserId }])),
  );
}

export async function removeAddedTeachers(
  { trx, run }: RevertContext,
  enrollments: readonly StoredChange[],
): Promise<void> {
  const gone = teachersOf(enrollments).filter(({ before: { own } }) => own === null);
  await detachTeachers(trx, run.organizationId, gone);
}

const adoptedLinks = `lms_change c where ${restoredChanges} and c.after @> '{"wasByEmail": true}'`;

/** Links of first sign-ins that the commit has adopted become such links again. `kept`: the ids of rows that stay as they are. */
export async function restoreSignInLinks(trx: Trx, run: LmsSyncRun, kept: readonly string[]): Promise<void> {
  const { organizationId, provider, id: runId } = run;
  if (identityOf(provider) !== 'google') return;
  const key = { organizationId, runId, kept: [...kept] };
  for await (const part of positionRanges(trx, adoptedLinks, key)) {
    const people = await rowsOf<IdentityLink>(
      trx,
      `select c.user_id, c.after ->> 'externalId' as subject from ${adoptedLinks}
         and c.position > :after and c.position <= :upTo
       order by c.position`,
      { ...key, ...part },
    );
    await setByEmail(trx, { organizationId, provider: 'google', byEmail: true }, people);
  }
}
