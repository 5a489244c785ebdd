// Runs a sync: reads and compares the roster as for a preview, and commits the rows that need no decision. A sync without
// changes writes only its own row.
import { type LeasedKind, LostLease, runLeased } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { rosterRetries } from '#core/platform/retries.ts';
import { findConnection, LmsConnection, lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import type { RunError } from '../enums.ts';
import { buildPreview, errorOf } from '../preview/assemble/build.ts';
import type { ReadRoster } from '../preview/assemble/read-roster.ts';
import { insertPreview, type PreviewOrder } from '../preview/create.ts';
import { LmsPreview, lockPreview, type PreviewKey } from '../preview/rows.ts';
import type { LmsSyncRun } from '../runs/rows.ts';
import { compareRoster } from './compare.ts';
import { runRows } from './rows.ts';
import { nextRunAt } from './schedule.ts';
import { commitUndisputedRows, isDrift } from './write.ts';

/** The run ends with this error, because another attempt would end the same way. */
class RunFault extends Error {
  override readonly name = 'RunFault';
  readonly code: RunError;

  constructor(code: RunError, cause?: unknown) {
    super(`the sync ends with ${code}`, { cause });
    this.code = code;
  }
}

const sync: LeasedKind<LmsSyncRun> = {
  name: 'sync',
  rows: runRows,
  retries: rosterRetries,
  attempt: work,
  isFinal: (error) => error instanceof RunFault,
  fail: (services, run, error) => endWith(services, run, error instanceof RunFault ? error.code : 'internal'),
  isInterruptible: true,
};

/**
 * Runs the sync unless another process does. `stop`: raised when the process is about to end; another process then continues.
 */
export async function runSync(
  services: Services,
  key: Pick<LmsSyncRun, 'organizationId' | 'id'>,
  stop?: AbortSignal,
): Promise<void> {
  await runLeased(services, sync, key, stop);
}

async function work(services: Services, run: LmsSyncRun, stop: AbortSignal | undefined): Promise<void> {
  const { organizationId, previewId } = run;
  // An earlier attempt has created the preview.
  if (previewId !== null) return writePreview(services, run, { organizationId, id: previewId }, { stop });
  const order = await orderOf(services, run);
  if (!order) return end(services, run, {});
  const found = await compareRoster(services, order, stop).catch(refuseRead);
  if ('unchanged' in found) return end(services, run, { skipped: found.unchanged });
  const key = await inContext(services.db, { organizationId }, async (trx) => {
    const { id } = await insertPreview(trx, order, services.clock.now());
    await runRows.writeIn(trx, run, { previewId: id });
    return { organizationId, id };
  });
  await writePreview(services, run, key, { stop, read: found.roster });
}

/** Returns undefined when no course is mapped any more. */
const orderOf = ({ db }: Services, run: LmsSyncRun): Promise<PreviewOrder | undefined> =>
  inContext(db, run, async (trx) => {
    const { organizationId, connectionId, id: runId } = run;
    const connection = await findConnection(trx, { organizationId, id: connectionId });
    const courseExternalIds = connection ? (await mappingsOf(trx, connection)).map((one) => one.courseExternalId) : [];
    if (!connection || courseExternalIds.length === 0) return undefined;
    return { connection, courseExternalIds, createdBy: run.askedBy ?? connection.connectedBy, runId };
  });

function refuseRead(error: unknown): never {
  const code = errorOf(error);
  throw code === 'internal' ? error : new RunFault(code, error);
}

async function writePreview(
  services: Services,
  run: LmsSyncRun,
  key: PreviewKey,
  { stop, read }: { readonly stop: AbortSignal | undefined; readonly read?: ReadRoster },
): Promise<void> {
  await buildPreview(services, key, stop, read);
  const preview = await inContext(services.db, key, async (trx) => LmsPreview.query(trx).findOne({ ...key }));
  if (preview?.state === 'failed') throw new RunFault(preview.errorCode ?? 'internal');
  // Another process builds it, or this one is about to end: the next holder of the run continues.
  if (preview?.state === 'building') return void (await runRows.release(services, run, { uncounted: true }));
  if (preview?.state !== 'ready') throw new RunFault(preview ? 'drift' : 'internal');
  await end(services, run, { preview: key }).catch(refuseDrift);
}

function refuseDrift(error: unknown): never {
  throw isDrift(error) ? new RunFault('drift', error) : error;
}

interface RunResult {
  /** The preview to commit. Without it nothing of the organization is written. */
  readonly preview?: PreviewKey;
  readonly skipped?: number;
}

/** Commits the preview if there is one, and ends the run. Throws RunFault when the connection has ended. */
const end = (services: Services, run: LmsSyncRun, { preview: key, skipped = 0 }: RunResult): Promise<void> =>
  inContext(services.db, run, async (trx) => {
    const { organizationId, connectionId: id } = run;
    const connection = await lockConnection(trx, { organizationId, id });
    const preview = key && (await lockPreview(trx, key));
    const now = services.clock.now();
    if (connection?.status !== 'active') throw new RunFault('grant_revoked');
    if (key && preview?.state !== 'ready') throw new LostLease();
    // The writer is the account that requested the run, else the one that connected the platform.
    const writer = { actorUserId: run.askedBy ?? connection.connectedBy, operation: 'syncLms', requestId: run.id };
    if (preview) await services.nameWriter(trx, writer, now);
    const counts = preview
      ? await commitUndisputedRows(trx, preview, run.id, now)
      : { created: 0, updated: 0, skipped, conflicts: 0 };
    const state = counts.conflicts > 0 ? 'partial' : 'succeeded';
    await runRows.writeIn(trx, run, { state, counts: JSON.stringify(counts), endedAt: now, heldUntil: null });
    await patchConnection(trx, connection, { lastSyncAt: now.toISOString(), ...nextOf(connection, now) });
  });

/** A connection by files has no scheduled sync, because its files only change with an upload. */
const nextOf = ({ id, kind }: LmsConnection, now: Date) =>
  kind === 'csv' ? {} : { nextRunAt: nextRunAt(id, now).toISOString() };

const patchConnection = (trx: Trx, { organizationId, id }: LmsConnection, values: Partial<LmsConnection>) =>
  LmsConnection.query(trx).findById([organizationId, id]).patch(values);

async function endWith({ db, clock }: Services, run: LmsSyncRun, errorCode: RunError): Promise<void> {
  const { organizationId, connectionId: id } = run;
  await inContext(db, { organizationId }, async (trx) => {
    const connection = await lockConnection(trx, { organizationId, id });
    const now = clock.now();
    await runRows.writeIn(trx, run, { state: 'error', errorCode, endedAt: now, heldUntil: null });
    if (connection?.status !== 'active' || connection.kind === 'csv') return;
    await patchConnection(trx, connection, nextOf(connection, now));
  });
}
