// A sync: the roster is read and compared as for a preview, and what nobody has to decide is made so. One that finds nothing
// to do writes nothing but itself.
import type { Services } from '#core/module/services.ts';
import { inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { findConnection, LmsConnection, lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import type { RunError } from '../enums.ts';
import { buildPreview, errorOf } from '../preview/assemble/build.ts';
import type { ReadRoster } from '../preview/assemble/read-roster.ts';
import { insertPreview, type PreviewOrder } from '../preview/request.ts';
import { LmsPreview, lockPreview, type PreviewKey } from '../preview/rows.ts';
import type { RunCounts } from '../runs/rows.ts';
import { compareRoster } from './compare.ts';
import { nextRunAt } from './next-run.ts';
import { claimRun, type HeldRun, type RunKey, releaseRun, renewRun, writeHeld } from './rows.ts';
import { isDrift, makeSo } from './write.ts';

const mostAttempts = 3;
const renewEveryMs = 5_000;

/** Works at a run, unless another process does. `stop`: the process is about to end; another goes on. */
export async function runSync(services: Services, key: RunKey, stop?: AbortSignal): Promise<void> {
  if (stop?.aborted) return;
  const { db, clock, log } = services;
  const run = await claimRun(db, key, () => clock.now());
  if (!run) return;
  if (run.attempts > mostAttempts) return endWith(services, run, 'internal');
  const renewal = setInterval(() => void renewRun(db, run).catch(() => {}), renewEveryMs);
  try {
    await work(services, run, stop);
  } catch (error) {
    if (error instanceof LostRun) return;
    if (isDatabaseDown(error)) throw error;
    const { organizationId, id: syncRunId, attempts } = run;
    log.error({ err: error, organizationId, syncRunId, attempts }, 'a sync failed');
    await releaseRun(db, run);
  } finally {
    clearInterval(renewal);
  }
}

async function work(services: Services, run: HeldRun, stop: AbortSignal | undefined): Promise<void> {
  const { organizationId, previewId } = run;
  // Of an earlier try, which has found something to do.
  if (previewId !== null) return writePreview(services, run, { organizationId, id: previewId }, { stop });
  const order = await orderOf(services, run);
  if (!order) return endUnchanged(services, run, 0);
  const found = await compared(services, run, order, stop);
  if (found === undefined) return;
  if ('unchanged' in found) return endUnchanged(services, run, found.unchanged);
  const key = await inContext(services.db, { organizationId }, async (trx) => {
    const { id } = await insertPreview(trx, order, services.clock.now());
    if (!(await writeHeld(trx, run, { previewId: id }))) throw new LostRun();
    return { organizationId, id };
  });
  await writePreview(services, run, key, { stop, read: found.roster });
}

/** Undefined where nothing is mapped any more. */
const orderOf = ({ db }: Services, run: HeldRun): Promise<PreviewOrder | undefined> =>
  inContext(db, run, async (trx) => {
    const { organizationId, connectionId, id: runId } = run;
    const connection = await findConnection(trx, { organizationId, id: connectionId });
    const courseExternalIds = connection ? (await mappingsOf(trx, connection)).map((one) => one.courseExternalId) : [];
    if (!connection || courseExternalIds.length === 0) return undefined;
    return { connection, courseExternalIds, createdBy: run.askedBy ?? connection.connectedBy, runId };
  });

/** Undefined where the run has ended by that, or goes on in another process. */
async function compared(services: Services, run: HeldRun, order: PreviewOrder, stop: AbortSignal | undefined) {
  try {
    return await compareRoster(services, order, stop);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    if (stop?.aborted) return void (await releaseRun(services.db, run, { uncounted: true }));
    const code = errorOf(error);
    if (code === 'internal') throw error;
    return endWith(services, run, code);
  }
}

async function writePreview(
  services: Services,
  run: HeldRun,
  key: PreviewKey,
  { stop, read }: { readonly stop: AbortSignal | undefined; readonly read?: ReadRoster },
): Promise<void> {
  await buildPreview(services, key, stop, read);
  const preview = await inContext(services.db, key, async (trx) => findPreview(trx, key));
  if (preview?.state === 'failed') return endWith(services, run, preview.errorCode ?? 'internal');
  // Another builds it, or the process is about to end: whoever takes the run next goes on.
  if (preview?.state === 'building') return void (await releaseRun(services.db, run, { uncounted: true }));
  if (preview?.state !== 'ready') return endWith(services, run, preview ? 'drift' : 'internal');
  await commit(services, run, key);
}

const findPreview = async (trx: Trx, { organizationId, id }: PreviewKey): Promise<LmsPreview | undefined> =>
  LmsPreview.query(trx).findOne({ organizationId, id });

/** The run is another's by now, or has ended. */
class LostRun extends Error {
  override readonly name = 'LostRun';
}

async function commit(services: Services, run: HeldRun, key: PreviewKey): Promise<void> {
  try {
    const isActive = await inContext(services.db, key, (trx) => commitIn(trx, services, run, key));
    if (!isActive) await endWith(services, run, 'grant_revoked');
  } catch (error) {
    if (!isDrift(error)) throw error;
    await endWith(services, run, 'drift');
  }
}

/** Under the name of who asked, or else of who connected. False, and nothing written: the connection has ended. */
async function commitIn(
  trx: Trx,
  { clock, nameWriter }: Pick<Services, 'clock' | 'nameWriter'>,
  run: HeldRun,
  key: PreviewKey,
): Promise<boolean> {
  const connection = await lockConnection(trx, { organizationId: run.organizationId, id: run.connectionId });
  const preview = await lockPreview(trx, key);
  const now = clock.now();
  if (connection?.status !== 'active') return false;
  if (preview?.state !== 'ready') throw new LostRun();
  await nameWriter(
    trx,
    { actorUserId: run.askedBy ?? connection.connectedBy, operation: 'syncLms', requestId: run.id },
    now,
  );
  const counts = await makeSo(trx, preview, run.id, now);
  const state = counts.conflicts > 0 ? 'partial' : 'succeeded';
  const ended = { state, counts: JSON.stringify(counts), endedAt: now, heldUntil: null };
  if (!(await writeHeld(trx, run, ended))) throw new LostRun();
  await patchConnection(trx, connection, { lastSyncAt: now.toISOString(), ...nextOf(connection, now) });
  return true;
}

/** Nothing of the organization is written; the connection may have ended meanwhile. */
async function endUnchanged(services: Services, run: HeldRun, skipped: number): Promise<void> {
  const { organizationId, connectionId: id } = run;
  const counts: RunCounts = { created: 0, updated: 0, skipped, conflicts: 0 };
  const isActive = await inContext(services.db, run, async (trx) => {
    const connection = await lockConnection(trx, { organizationId, id });
    if (connection?.status !== 'active') return false;
    const now = services.clock.now();
    const ended = { state: 'succeeded', counts: JSON.stringify(counts), endedAt: now, heldUntil: null };
    if (!(await writeHeld(trx, run, ended))) return true;
    await patchConnection(trx, connection, { lastSyncAt: now.toISOString(), ...nextOf(connection, now) });
    return true;
  });
  if (!isActive) await endWith(services, run, 'grant_revoked');
}

/** A set of files stays as it is until another is uploaded. */
const nextOf = ({ id, kind }: LmsConnection, now: Date) =>
  kind === 'csv' ? {} : { nextRunAt: nextRunAt(id, now).toISOString() };

const patchConnection = (trx: Trx, { organizationId, id }: LmsConnection, values: Partial<LmsConnection>) =>
  LmsConnection.query(trx).findById([organizationId, id]).patch(values);

async function endWith({ db, clock }: Services, run: HeldRun, errorCode: RunError): Promise<void> {
  const { organizationId, connectionId: id } = run;
  await inContext(db, { organizationId }, async (trx) => {
    const connection = await lockConnection(trx, { organizationId, id });
    const now = clock.now();
    await writeHeld(trx, run, { state: 'error', errorCode, endedAt: now, heldUntil: null });
    if (connection?.status !== 'active' || connection.kind === 'csv') return;
    await patchConnection(trx, connection, nextOf(connection, now));
  });
}
