// A session of the calling student: found, locked, and read with the rules that it pinned.

import type { AppScope } from '../../kernel/route.ts';
import { organizationOf } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { conflict, denied, notFound } from '../../platform/errors.ts';
import { lockRows } from '../../platform/locks.ts';
import { type MeasurementRules, measurementOf, stampVersion } from '../rules.ts';
import type { RequestServices } from '../services.ts';
import type { SessionStatus } from './engine/state.ts';
import { DiagnosticSession, loadRecord, type SessionRecord } from './store.ts';

/** Another student's session is PERMISSION_DENIED, one that the tenant cannot see NOT_FOUND. */
export const ownSession: AppScope<DiagnosticSession> = {
  reach: 'self',
  resolve: async ({ trx, actor, params }) => {
    const row = await DiagnosticSession.query(trx).findById(params.id ?? '');
    if (!row) throw notFound();
    if (row.studentId !== actor.userId) throw denied('This session belongs to somebody else.');
    return { row, organization: await organizationOf({ trx, actor }, row.organizationId) };
  },
};

/** A session is over 24 hours after its start, whether or not anything has noticed yet. */
export function statusAt(session: DiagnosticSession, now: Date): SessionStatus {
  const open = session.status === 'IN_PROGRESS' || session.status === 'PAUSED';
  return open && now >= new Date(session.expiresAt) ? 'EXPIRED' : session.status;
}

export interface OpenSession extends SessionRecord {
  readonly rules: MeasurementRules;
}

/** Everything about the session, locked against a second device. CONFLICT `finished` or `expired` when it is over. */
export async function lockOpen(services: RequestServices, trx: Trx, id: string, now: Date): Promise<OpenSession> {
  const locked = await lock(services, trx, id);
  const status = statusAt(locked.session, now);
  if (status === 'FINISHED') throw conflict('finished', 'This session is finished.');
  if (status === 'EXPIRED') throw expired();
  return locked;
}

export const expired = () => conflict('expired', 'This session has expired; start a new one.');

export async function lock(services: RequestServices, trx: Trx, id: string): Promise<OpenSession> {
  const session = await lockRows('diagnostic', 'change', DiagnosticSession.query(trx).findById(id)).throwIfNotFound();
  return { ...(await loadRecord(trx, session)), rules: await rulesOf(services, trx, session) };
}

/** The rules and items that a session was started with. */
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
