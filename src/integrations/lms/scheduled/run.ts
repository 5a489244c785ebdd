// A sync: the roster is read and compared as for a preview, and what nobody has to decide is made so. One that finds nothing
// to do writes nothing but itself.
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

/** The run has ended so: another attempt would end the same. */
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

/** Works at a run, unless another process does. `stop`: the process is about to end; another goes on. */
export async function runSync(
  services: Services,
  key: Pick<LmsSyncRun, 'organizationId' | 'id'>,
  stop?: AbortSignal,
): Promise<void> {
  await runLeased(services, sync, key, stop);
}

async function work(services: Services, run: LmsSyncRun, stop: AbortSignal | undefined): Promise<void> {
  const { organizationId, previewId } = run;
  // Of an earlier try, which has found something to do.
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

/** Undefined where nothing is mapped any more. */
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
  // Another builds it, or the process is about to end: whoever takes the run next goes on.
  if (preview?.state === 'building') return void (await runRows.release(services, run, { uncounted: true }));
  if (preview?.state !== 'ready') throw new RunFault(preview ? 'drift' : 'internal');
  await end(services, run, { preview: key }).catch(refuseDrift);
}

function refuseDrift(error: unknown): never {
  throw isDrift(error) ? new RunFault('drift', error) : error;
}

interface Found {
  /** The preview that is written; without it nothing of the organization is. */
  readonly preview?: PreviewKey;
  readonly skipped?: number;
}

/** The connection may have ended meanwhile. */
const end = (services: Services, run: LmsSyncRun, { preview: key, skipped = 0 }: Found): Promise<void> =>
  inContext(services.db, run, async (trx) => {
    const { organizationId, connectionId: id } = run;
    const connection = await lockConnection(trx, { organizationId, id });
    const preview = key && (await lockPreview(trx, key));
    const now = services.clock.now();
    if (connection?.status !== 'active') throw new RunFault('grant_revoked');
    if (key && preview?.state !== 'ready') throw new LostLease();
    // Under the name of who asked, or else of who connected.
    const writer = { actorUserId: run.askedBy ?? connection.connectedBy, operation: 'syncLms', requestId: run.id };
    if (preview) await services.nameWriter(trx, writer, now);
    const counts = preview
      ? await commitUndisputedRows(trx, preview, run.id, now)
      : { created: 0, updated: 0, skipped, conflicts: 0 };
    const state = counts.conflicts > 0 ? 'partial' : 'succeeded';
    await runRows.writeIn(trx, run, { state, counts: JSON.stringify(counts), endedAt: now, heldUntil: null });
    await patchConnection(trx, connection, { lastSyncAt: now.toISOString(), ...nextOf(connection, now) });
  });

/** A set of files stays as it is until another is uploaded. */
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
