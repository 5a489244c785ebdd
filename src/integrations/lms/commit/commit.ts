// Commits a preview in one transaction. Locks are taken in the order of all locks: accounts, classes, teachers, enrollments,
// families, addresses, identities, sessions.
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { planAnewForAnyValues } from '#core/platform/sql.ts';
import { todayOf } from '#identity/people/index.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { type CommitAnswer, LmsPreview, lockPreview, type PreviewKey, previewStateAt } from '../preview/rows.ts';
import { insertDoneRun, isRunOpen } from '../runs/rows.ts';
import { countRows, type RowCounts, recordChanges, saveEnrollmentsBaseline, savePeopleBaseline } from './baseline.ts';
import { driftedRows, refuseDrifted, refuseOpenConflicts } from './checks.ts';
import { nameEnrollments, writeStudents, writeTeachers } from './enrollments.ts';
import { writeFamilies } from './families.ts';
import { refuseClassesWithoutTeacher } from './last-teachers.ts';
import { lockForCommit } from './locks.ts';
import { type Committing, writeAccounts, writeAddresses, writeIdentities, writeSessions } from './people.ts';
import { keepPreCommitState } from './pre-commit-state.ts';
import { rejectIfDrifted } from './uniqueness-conflicts.ts';

/**
 * Returns the result of the first commit, however often it is called. Throws CONFLICT `expired`, `not_ready`, `failed`,
 * `connection_not_active` or `drifted`, and VALIDATION_ERROR while conflicts are open.
 */
export async function commitPreview(trx: Trx, key: PreviewKey, clock: () => Date): Promise<CommitAnswer> {
  const { preview, connection } = await locked(trx, key);
  const now = clock();
  if (preview.answer) return preview.answer;
  requireReady(preview, connection, now);
  await requireOwn(trx, preview);
  await refuseOpenConflicts(trx, { organizationId: key.organizationId, previewId: key.id });
  return commit(trx, preview, now);
}

async function locked(trx: Trx, key: PreviewKey) {
  const { organizationId } = key;
  const known = await LmsPreview.query(trx).findOne({ organizationId, id: key.id });
  if (!known) throw notFound();
  const connection = await lockConnection(trx, { organizationId, id: known.connectionId });
  const preview = await lockPreview(trx, key);
  if (!preview || !connection) throw notFound();
  return { preview, connection };
}

function requireReady(preview: LmsPreview, connection: LmsConnection, now: Date): void {
  const state = previewStateAt(preview, now);
  if (state === 'expired') throw conflict('expired', 'The preview has expired. Make a new one.');
  if (connection.status !== 'active') {
    throw conflict('connection_not_active', 'The connection has ended. Connect again, and make a new preview.');
  }
  if (state === 'building') throw conflict('not_ready', 'The preview is not built yet.');
  if (state === 'failed') throw conflict('failed', 'The preview could not be built. Make a new one.');
}

/** A sync that is under way commits its preview itself. */
async function requireOwn(trx: Trx, { organizationId, runId }: LmsPreview): Promise<void> {
  if (runId === null || !(await isRunOpen(trx, { organizationId, id: runId }))) return;
  throw conflict('not_ready', 'The sync that this preview belongs to has not ended yet.');
}

/**
 * Writes the rows that are not in conflict, or whose conflict was resolved. The preview and the connection are locked. Throws
 * CONFLICT `drifted` and VALIDATION_ERROR `would_orphan_last_teacher`.
 */
export async function writeRows(trx: Trx, preview: LmsPreview, now: Date): Promise<RowCounts> {
  const { organizationId } = preview;
  const committing: Committing = { trx, preview, now, today: await todayOf(trx, organizationId, now) };
  await planAnewForAnyValues(trx);
  const grades = await lockForCommit(trx, preview);
  refuseDrifted(await driftedRows(trx, preview));
  await writeAccounts(committing);
  await nameEnrollments(committing);
  await refuseClassesWithoutTeacher(trx, preview);
  await keepPreCommitState(trx, preview);
  await savePeopleBaseline(trx, preview);
  await saveEnrollmentsBaseline(trx, preview);
  await writeTeachers(committing);
  await writeStudents(committing, grades);
  await writeFamilies(committing);
  for (const write of [writeAddresses, writeIdentities]) await rejectIfDrifted(committing, write);
  await writeSessions(committing);
  return countRows(trx, preview);
}

async function commit(trx: Trx, preview: LmsPreview, now: Date): Promise<CommitAnswer> {
  const { organizationId, connectionId, provider } = preview;
  const { open, ...counts } = await writeRows(trx, preview, now);
  const trigger = 'commit' as const;
  const run = { organizationId, connectionId, provider, trigger, previewId: preview.id };
  const runId = await insertDoneRun(trx, { ...run, counts: { ...counts, conflicts: open } }, now);
  await recordChanges(trx, preview, runId, now);
  const answer: CommitAnswer = { ...counts, conflicts_remaining: 0 };
  const committedAt = now.toISOString();
  await LmsPreview.query(trx)
    .findById([organizationId, preview.id])
    .patch({ state: 'committed', committedAt, answer, runId });
  await LmsConnection.query(trx).findById([organizationId, connectionId]).patch({ lastSyncAt: committedAt });
  return answer;
}
