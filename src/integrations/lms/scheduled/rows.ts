// Syncs that are asked for, and who works at one: a run is held for a while by a token that grows with each holder, and who
// has lost it writes nothing any more.
import { appendEvents, newEvent } from '#core/module/events.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { LmsConnection } from '../connections/rows.ts';
import type { RunTrigger } from '../enums.ts';
import { syncRequested } from '../events.ts';
import { LmsSyncRun, openRunStates } from '../runs/rows.ts';

/** Of the database's clock, which all holders share: this is about dead processes, not about business time. */
const leaseSeconds = 30;
const lease = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

export interface RunKey {
  readonly organizationId: string;
  readonly id: string;
}

export interface HeldRun extends RunKey {
  readonly connectionId: string;
  readonly previewId: string | null;
  readonly askedBy: number | null;
  readonly token: number;
  readonly attempts: number;
}

/** The one under way, or a new one. The connection is locked. `askedBy`: null for one that was due. */
export async function requestRun(
  trx: Trx,
  { organizationId, id: connectionId, provider }: LmsConnection,
  askedBy: number | null,
  now: Date,
): Promise<string> {
  const underWay = await LmsSyncRun.query(trx)
    .findOne({ organizationId, connectionId })
    .whereIn('state', [...openRunStates]);
  if (underWay) return underWay.id;
  const id = newId();
  const trigger: RunTrigger = askedBy === null ? 'scheduled' : 'manual';
  const made = { organizationId, id, connectionId, provider, trigger, askedBy, state: 'queued' as const };
  await LmsSyncRun.query(trx).insert({ ...made, createdAt: now.toISOString() });
  await appendEvents(trx, now, [newEvent(syncRequested, organizationId, { syncRunId: id })]);
  return id;
}

/** Held from now on and counted as begun; undefined where another holds it, or where it has ended. */
export const claimRun = (db: Db, { organizationId, id }: RunKey, clock: () => Date): Promise<HeldRun | undefined> =>
  inContext(db, { organizationId }, async (trx) => {
    const [run] = await trx('lms_sync_run')
      .where({ organizationId, id })
      .whereIn('state', [...openRunStates])
      .whereRaw('(held_until is null or held_until < clock_timestamp())')
      .update({
        ...{ state: 'running', startedAt: trx.raw('coalesce(started_at, ?)', [clock()]) },
        ...{ token: trx.raw('token + 1'), attempts: trx.raw('attempts + 1'), heldUntil: trx.raw(lease) },
      })
      .returning<HeldRun[]>(['organizationId', 'id', 'connectionId', 'previewId', 'askedBy', 'token', 'attempts']);
    return run;
  });

const held = (trx: Trx, { organizationId, id, token }: HeldRun) =>
  trx('lms_sync_run').where({ organizationId, id, token, state: 'running' });

/** False: another holds it by now, or it has ended. */
export const writeHeld = async (trx: Trx, run: HeldRun, values: object): Promise<boolean> =>
  (await held(trx, run).update(values)) === 1;

export const renewRun = (db: Db, run: HeldRun): Promise<boolean> =>
  inContext(db, run, (trx) => writeHeld(trx, run, { heldUntil: trx.raw(lease) }));

/** `uncounted`: it was no fault of the run that it did not end. */
export const releaseRun = (db: Db, run: HeldRun, { uncounted = false } = {}): Promise<boolean> =>
  inContext(db, run, (trx) =>
    writeHeld(trx, run, { heldUntil: null, ...(uncounted && { attempts: run.attempts - 1 }) }),
  );
