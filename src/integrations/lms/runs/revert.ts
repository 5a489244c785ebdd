// Reverts a commit in one transaction: accounts that it created become inactive, and changed values, classes, teachers and links
// are restored. Rows that were changed since are reported, or kept when the caller asks for that.
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { planAnewForAnyValues } from '#core/platform/sql.ts';
import { todayOf } from '#identity/people/index.ts';
import { lockConnection } from '../connections/rows.ts';
import { changesKeptDays } from './changes.ts';
import { findChangesSinceCommit } from './changes-since-commit.ts';
import { lockForRevert } from './locks.ts';
import { restoreBaseline } from './restore-baseline.ts';
import {
  changedRefusal,
  eachPage,
  endSignIns,
  type RevertContext,
  removeAddedLinks,
  removeAddedTeachers,
  restoreAddresses,
  restoreHeads,
  restorePeople,
  restoreSignInLinks,
  restoreStudents,
  restoreTeachers,
  signOut,
  unlinkPeople,
} from './revert-steps.ts';
import { insertDoneRun, LmsChange, LmsSyncRun } from './rows.ts';

const changesKeptMs = changesKeptDays * dayMs;

export interface RevertAnswer {
  readonly reverted: number;
  readonly kept: number;
}

/**
 * Throws CONFLICT `not_revertible` or `reverted`, and `changed_since` with `rows.<rowId>` of each changed row unless `skipChanged`
 * is set.
 */
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
  const grades = await lockForRevert(trx, run);
  const changed = await findChangesSinceCommit(trx, run);
  if (changed.length > 0 && !skipChanged) throw changedRefusal(changed);
  const context: RevertContext = { trx, run, now, today, kept: new Set(changed) };
  const people = await eachPage(context, 'person', restorePeople);
  await eachPage(context, 'enrollment', restoreTeachers);
  await eachPage(context, 'enrollment', restoreHeads);
  await eachPage(context, 'enrollment', removeAddedTeachers);
  const enrollments = await eachPage(context, 'enrollment', (all, page) => restoreStudents(all, page, grades));
  await eachPage(context, 'person', removeAddedLinks);
  await restoreAddresses(context);
  for (const step of [endSignIns, unlinkPeople]) await eachPage(context, 'person', step);
  await restoreSignInLinks(trx, run, changed);
  await eachPage(context, 'person', signOut);
  await restoreBaseline(trx, run, changed);
  const answer = { reverted: people + enrollments, kept: changed.length };
  const counts = { created: 0, updated: answer.reverted, skipped: answer.kept, conflicts: 0 };
  const done = { organizationId, connectionId, provider, trigger: 'revert', previewId: run.previewId } as const;
  await insertDoneRun(trx, { ...done, counts, revertsRunId: id }, now);
  return answer;
}

async function requireRevertible(trx: Trx, run: LmsSyncRun, now: Date): Promise<void> {
  const { organizationId, id, trigger, endedAt } = run;
  if (trigger === 'revert' || endedAt === null) {
    throw conflict('not_revertible', 'Only a sync that has written something and has ended can be taken back.');
  }
  const before = await LmsSyncRun.query(trx).findOne({ organizationId, revertsRunId: id });
  if (before) throw conflict('reverted', 'This sync was taken back already.');
  // After that time the rows are deleted in batches, so that some of them may be left.
  const isPast = now.getTime() >= new Date(endedAt).getTime() + changesKeptMs;
  const isKept =
    !isPast && (await LmsChange.query(trx).where({ organizationId, runId: id }).select('position').first());
  if (!isKept) throw conflict('not_revertible', 'Nothing is known any more of what this sync has changed.');
}
