// Loads a session of the calling student: checks ownership, locks it, and reads it with its pinned rules.

import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { requireOwn } from '../own-session.ts';
import { type MeasurementRules, measurementOf, stampVersion } from '../rules.ts';
import { servingBank } from '../scoring/serving-bank.ts';
import type { RequestServices } from '../services.ts';
import type { SessionStatus } from './engine/state.ts';
import { DiagnosticSession, loadRecord, type SessionRecord } from './store.ts';

export const ownSession: AppScope<DiagnosticSession> = {
  reach: 'self',
  resolve: async ({ trx, actor, params }) =>
    requireOwn({ trx, actor }, await DiagnosticSession.query(trx).findById(params.id ?? ''), 'session'),
};

/**
 * Returns the status at a moment. A session expires 24 hours after its start, even when the row does not say so yet.
 */
export function statusAt(session: DiagnosticSession, now: Date): SessionStatus {
  const open = session.status === 'IN_PROGRESS' || session.status === 'PAUSED';
  return open && now >= new Date(session.expiresAt) ? 'EXPIRED' : session.status;
}

export interface OpenSession extends SessionRecord {
  readonly rules: MeasurementRules;
}

/**
 * Returns the session with its rows, locked against a second device. Throws CONFLICT `finished` or `expired` when it is
 * over.
 */
export async function lockOpen(services: RequestServices, trx: Trx, id: string, now: Date): Promise<OpenSession> {
  const locked = await lock(services, trx, id, now);
  const status = statusAt(locked.session, now);
  if (status === 'FINISHED') throw conflict('finished', 'This session is finished.');
  if (status === 'EXPIRED') throw expired();
  return locked;
}

export const expired = () => conflict('expired', 'This session has expired; start a new one.');

export async function lock(services: RequestServices, trx: Trx, id: string, now: Date): Promise<OpenSession> {
  const session = await lockRows('diagnostic', 'change', DiagnosticSession.query(trx).findById(id)).throwIfNotFound();
  return { ...(await loadRecord(trx, session)), rules: await servingRules(services, trx, session, now) };
}

/** Returns the rules and items that a session pinned. */
export async function rulesOf(
  services: RequestServices,
  trx: Trx,
  { pinned }: DiagnosticSession,
): Promise<MeasurementRules> {
  const bundle = await services.rules.pinned(trx, {
    'catalogue/subskills': stampVersion(pinned.catalogueVersion),
    'scoring/measurement': stampVersion(pinned.formsVersion),
  });
  return measurementOf(bundle, await services.itemBanks.version(stampVersion(pinned.bankVersion)));
}

/** Returns the rules for serving: as pinned, without items that were withdrawn since. */
export async function servingRules(
  services: RequestServices,
  trx: Trx,
  session: DiagnosticSession,
  now: Date,
): Promise<MeasurementRules> {
  const bank = await servingBank(services.itemBanks, session.pinned.bankVersion, now);
  return { ...(await rulesOf(services, trx, session)), bank };
}
