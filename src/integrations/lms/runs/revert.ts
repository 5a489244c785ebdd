// Taking a commit back, in one transaction: whom it made becomes inactive, what it changed is as before, who came leaves and
// who left comes again, who was linked by it is linked no more. What somebody has changed since is named, or kept where that is asked for.

import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { planAnewForAnyValues } from '#core/platform/sql.ts';
import {
  changeAccounts,
  endSessions,
  endSignInLinks,
  nameAccounts,
  placeStudents,
  todayOf,
  unlinkFamilies,
  unlinkIdentities,
} from '#identity/people/index.ts';
import { lockConnection } from '../connections/rows.ts';
import { unlessTaken } from '../elsewhere/unless-taken.ts';
import { identityOf } from '../enums.ts';
import { changesKeptDays, type PersonValues, revertible, type StoredChange } from './changes.ts';
import { lockAll } from './locks.ts';
import { giveBackMemory } from './memory.ts';
import { insertDoneRun, LmsSyncRun } from './rows.ts';
import { giveSignInsBack } from './sign-ins.ts';
import { changedSince, namesTaken } from './since.ts';
import { bringTeachersBack, letThemLead, takeTeachersAway } from './teachers.ts';

const mostDetails = 100;
const changesKeptMs = changesKeptDays * dayMs;

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
  await requireRevertible(trx, run, now);
  const today = await todayOf(trx, organizationId, now);
  await planAnewForAnyValues(trx);
  const grades = await lockAll(trx, run);
  const changed = await changedSince(trx, run);
  if (changed.length > 0 && !skipChanged) throw changedRefusal(changed);
  const reverting: Reverting = { trx, run, now, today, kept: new Set(changed) };
  const people = await eachPage(reverting, 'person', revertPeople);
  await eachPage(reverting, 'enrollment', bringTeachersBack);
  await eachPage(reverting, 'enrollment', letThemLead);
  await eachPage(reverting, 'enrollment', takeTeachersAway);
  const enrollments = await eachPage(reverting, 'enrollment', (all, page) => revertStudents(all, page, grades));
  await eachPage(reverting, 'person', takeLinksAway);
  await revertAllNames(reverting);
  for (const step of [endSignIns, unlinkPeople]) await eachPage(reverting, 'person', step);
  await giveSignInsBack(trx, run, changed);
  await eachPage(reverting, 'person', signOut);
  await giveBackMemory(trx, run, changed);
  const answer = { reverted: people + enrollments, kept: changed.length };
  const counts = { created: 0, updated: answer.reverted, skipped: answer.kept, conflicts: 0 };
  const done = { organizationId, connectionId, provider, trigger: 'revert', previewId: run.previewId } as const;
  await insertDoneRun(trx, { ...done, counts, revertsRunId: id }, now);
  return answer;
}

export interface Reverting {
  readonly trx: Trx;
  readonly run: LmsSyncRun;
  readonly now: Date;
  readonly today: string;
  /** Ids of rows that stay as they are. */
  readonly kept: ReadonlySet<string>;
}

/** One step for all pages, before the next step begins. Answers how many changes there were. */
async function eachPage(
  reverting: Reverting,
  kind: 'person' | 'enrollment',
  step: (reverting: Reverting, page: readonly StoredChange[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  for await (const page of revertible(reverting.trx, reverting.run, kind)) {
    const changes = page.filter(({ rowId }) => !reverting.kept.has(rowId));
    await step(reverting, changes);
    count += changes.length;
  }
  return count;
}

async function requireRevertible(trx: Trx, run: LmsSyncRun, now: Date): Promise<void> {
  const { organizationId, id, trigger, endedAt } = run;
  if (trigger === 'revert' || endedAt === null) {
    throw conflict('not_revertible', 'Only a sync that has written something and has ended can be taken back.');
  }
  const before = await LmsSyncRun.query(trx).findOne({ organizationId, revertsRunId: id });
  if (before) throw conflict('reverted', 'This sync was taken back already.');
  // From then on rows are deleted in batches: a part of them may be left.
  const isPast = now.getTime() >= new Date(endedAt).getTime() + changesKeptMs;
  const isKept = !isPast && (await trx('lms_change').where({ organizationId, runId: id }).first('position'));
  if (!isKept) throw conflict('not_revertible', 'Nothing is known any more of what this sync has changed.');
}

const changedRefusal = (rowIds: readonly string[]) =>
  new AppError('CONFLICT', 'Some rows were changed since. Send skipChanged to leave those as they are.', {
    details: rowIds.slice(0, mostDetails).map((rowId) => ({ field: `rows.${rowId}`, issue: 'changed_since' })),
  });

/** An account that the commit has made stays, and is closed: things may have been measured of the person. */
async function revertPeople({ trx, run }: Reverting, people: readonly StoredChange[]): Promise<void> {
  const changes = people.map(({ userId, before }) => ({ userId, ...valuesBefore(before.person ?? null) }));
  await changeAccounts(trx, run.organizationId, changes);
}

const valuesBefore = (person: PersonValues | null) =>
  person === null
    ? { status: 'inactive' as const }
    : { fullNameAr: person.fullNameAr ?? '', email: person.email, status: person.status };

async function revertStudents(
  { trx, run, today, now }: Reverting,
  enrollments: readonly StoredChange[],
  grades: ReadonlyMap<number, number>,
): Promise<void> {
  const students = enrollments.filter(({ before }) => before.role === 'student');
  const placings = students.map(({ userId, before }) => ({ studentId: userId, classId: before.classId ?? null }));
  await placeStudents(trx, { organizationId: run.organizationId, today, now }, placings, grades);
}

async function takeLinksAway({ trx, run }: Reverting, people: readonly StoredChange[]): Promise<void> {
  await unlinkFamilies(
    trx,
    run.organizationId,
    people.flatMap(({ after: { links } }) => links ?? []),
  );
}

/** CONFLICT `changed_since` where a former address has become somebody else's while this was written. */
const revertAllNames = (reverting: Reverting): Promise<void> =>
  unlessTaken(
    reverting.trx,
    async (trx) => void (await eachPage({ ...reverting, trx }, 'person', revertNames)),
    async () => {
      throw changedRefusal((await namesTaken(reverting.trx, reverting.run)).map(({ rowId }) => rowId));
    },
  );

async function revertNames({ trx, run }: Reverting, people: readonly StoredChange[]): Promise<void> {
  const names = renamed(people).map(({ userId, before }) => ({ userId, email: before.person?.email ?? null }));
  await nameAccounts(trx, run.organizationId, names);
}

const renamed = (people: readonly StoredChange[]) =>
  people.filter(({ before, after }) => before.person && before.person.email !== after.person?.email);

async function endSignIns({ trx, run }: Reverting, people: readonly StoredChange[]): Promise<void> {
  const ids = renamed(people).map(({ userId }) => userId);
  await endSignInLinks(trx, run.organizationId, ids);
}

async function unlinkPeople({ trx, run }: Reverting, people: readonly StoredChange[]): Promise<void> {
  const { organizationId, provider } = run;
  const linked = people.flatMap(({ userId, after: { isLinked, externalId } }) =>
    isLinked && externalId !== undefined ? [{ userId, subject: externalId }] : [],
  );
  await unlinkIdentities(trx, { organizationId, provider: identityOf(provider) }, linked);
}

async function signOut({ trx, run, now }: Reverting, people: readonly StoredChange[]): Promise<void> {
  const closed = people.filter(({ before }) => !before.person || before.person.status === 'inactive');
  const ids = closed.map(({ userId }) => userId);
  await endSessions(trx, run.organizationId, ids, now);
}
