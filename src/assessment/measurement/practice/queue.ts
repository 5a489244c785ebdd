// Loads a queue with its rows and pinned rules, and defines the scopes of practice.

import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { findStudentInReach, teachersAndAdmins, User } from '#identity/people/index.ts';
import { DiagnosticSession } from '../diagnostics/store.ts';
import { requireOwn } from '../own-session.ts';
import { type MeasurementRules, measurementOf, stampVersion } from '../rules.ts';
import { servingBank } from '../scoring/serving-bank.ts';
import type { RequestServices } from '../services.ts';
import { currentQueue, loadQueue, PracticeQueue, type QueueRecord } from './store.ts';

export interface OpenQueue extends QueueRecord {
  readonly rules: MeasurementRules;
}

/** Scope: a diagnostic that may be practised, the student's own or one in the reach of a teacher or administrator. */
export const practisedSession: AppScope<DiagnosticSession> = {
  reach: 'self; S',
  resolve: async ({ trx, actor, params }) => {
    const row = await DiagnosticSession.query(trx).findById(params.diagnosticSessionId ?? '');
    if (!row || actor.persona === 'STUDENT') return requireOwn({ trx, actor }, row, 'session');
    const { organization } = await findStudentInReach({ trx, actor }, row.studentId, teachersAndAdmins);
    return { row, ...(organization && { organization }) };
  },
};

/** Returns the newest queue, locked against a second device and a newer queue; undefined when there is none. */
export async function lockCurrent(
  services: RequestServices,
  trx: Trx,
  studentId: number,
  now: Date,
): Promise<OpenQueue | undefined> {
  await lockRows('account', 'change', User.query(trx).where({ id: studentId })).select('id');
  const queue = await currentQueue(trx, studentId);
  return queue && lockQueue(services, trx, queue.id, now);
}

export async function lockQueue(services: RequestServices, trx: Trx, id: string, now: Date): Promise<OpenQueue> {
  const queue = lockRows('practice', 'change', PracticeQueue.query(trx).findById(id));
  return recordOf(services, trx, await queue.throwIfNotFound(), now);
}

export async function recordOf(
  services: RequestServices,
  trx: Trx,
  queue: PracticeQueue,
  now: Date,
): Promise<OpenQueue> {
  const { catalogueVersion, measurementVersion, bankVersion } = queue.pinned;
  const bundle = await services.rules.pinned(trx, {
    'catalogue/subskills': stampVersion(catalogueVersion),
    'scoring/measurement': stampVersion(measurementVersion),
  });
  const bank = await servingBank(services.itemBanks, bankVersion, now);
  return { ...(await loadQueue(trx, queue)), rules: measurementOf(bundle, bank) };
}
