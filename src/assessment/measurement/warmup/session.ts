// Loads a warm-up of the calling student: checks ownership, locks it, and reads it with its pinned rules.

import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import type { ItemBank } from '../../content/index.ts';
import { requireOwn } from '../own-session.ts';
import { stampVersion } from '../rules.ts';
import type { RequestServices } from '../services.ts';
import { runningMs, type WarmupStatus } from './engine/course.ts';
import { durationMs, readWarmupValues, type WarmupValues } from './engine/values.ts';
import { eventRow, loadEvents, type WarmupEvent, WarmupSession } from './store.ts';

export const ownWarmup: AppScope<WarmupSession> = {
  reach: 'self',
  resolve: async ({ trx, actor, params }) =>
    requireOwn({ trx, actor }, await WarmupSession.query(trx).findById(params.id ?? ''), 'warm-up'),
};

export const isOpenWarmup = ({ status }: WarmupSession): boolean => status === 'RUNNING' || status === 'PAUSED';

/**
 * Returns the status at a moment. An open warm-up expires ten minutes after its start, even when the row does not say
 * so yet.
 */
export const statusAt = (session: WarmupSession, now: Date): WarmupStatus =>
  isOpenWarmup(session) && now > new Date(session.expiresAt) ? 'EXPIRED' : session.status;

export async function expire(trx: Trx, session: WarmupSession): Promise<void> {
  if (isOpenWarmup(session)) await WarmupSession.query(trx).findById(session.id).patch({ status: 'EXPIRED' });
}

export interface LockedWarmup {
  readonly session: WarmupSession;
  /** In the order of their receipt. */
  readonly events: readonly WarmupEvent[];
  readonly values: WarmupValues;
}

/** Returns the warm-up with its events, locked against a second device. */
export async function lock(services: RequestServices, trx: Trx, id: string): Promise<LockedWarmup> {
  const session = await lockRows('warmup', 'change', WarmupSession.query(trx).findById(id)).throwIfNotFound();
  return { session, events: await loadEvents(trx, id), values: await valuesOf(services, trx, session) };
}

/** Throws CONFLICT `ended` or `expired` when the warm-up is over. */
export function requireOpenWarmup(session: WarmupSession, now: Date): void {
  const status = statusAt(session, now);
  if (status === 'EXPIRED') throw expired();
  if (!isOpenWarmup(session)) throw ended();
}

export const ended = () => conflict('ended', 'This warm-up has ended; start a new one.');
export const expired = () => conflict('expired', 'This warm-up has expired; start a new one.');

export const remainingMs = ({ session, values }: LockedWarmup, events: readonly WarmupEvent[], now: Date): number => {
  const shown = { fromMs: Date.parse(session.startedAt), toMs: now.getTime() };
  return Math.max(0, durationMs(values) - runningMs(events.map(eventRow), shown));
};

export async function valuesOf(
  services: Pick<RequestServices, 'rules'>,
  trx: Trx,
  { pinned }: WarmupSession,
): Promise<WarmupValues> {
  const version = stampVersion(pinned.rulesVersion);
  return readWarmupValues(await services.rules.pinned(trx, { 'scoring/measurement': version }));
}

export const bankOf = (services: Pick<RequestServices, 'itemBanks'>, { pinned }: WarmupSession): Promise<ItemBank> =>
  services.itemBanks.version(stampVersion(pinned.bankVersion));
