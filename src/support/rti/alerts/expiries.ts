// Announces the end of a dismissal, once, a few days before it.

import { appendEvents } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { lockSupport } from '../../interventions/index.ts';
import { expiring } from '../events.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { rtiRules } from '../rules/compiled.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import { changeAlert } from './change.ts';

/**
 * For one organization, each student separately and by their local date. Throws the first failure after all students have
 * been processed.
 */
export async function announceExpiries(services: Services, organizationId: string): Promise<void> {
  const waiting = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    studentsToNotify(trx, services, organizationId),
  );
  await eachInTurn(
    waiting,
    (studentId) =>
      inContext(services.db, { organizationId }, (trx) => announceToStudent(trx, services, organizationId, studentId)),
    (error, studentId) =>
      services.log.error({ err: error, studentId }, 'the end of a dismissal could not be announced'),
  );
}

/** Candidates: one day more than any local date requires, whatever the time zone. */
async function studentsToNotify(trx: Trx, services: Services, organizationId: string): Promise<number[]> {
  const now = services.clock.now();
  const until = daysAfter(localDate(now, 'UTC'), (await noticeDays(trx, services, now)) + 1);
  const rows = await RtiAlert.query(trx)
    .where({ organizationId, state: 'dismissed', expiryTold: false })
    .where('expiresOn', '<=', until)
    .distinct('studentId')
    .orderBy('studentId');
  return rows.map(({ studentId }) => studentId);
}

async function announceToStudent(
  trx: Trx,
  services: Services,
  organizationId: string,
  studentId: number,
): Promise<void> {
  await lockSupport(trx, organizationId, [studentId]);
  const now = services.clock.now();
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const found = situations.get(studentId);
  // RAL-01: nothing opens while the student is halted. The announcement follows afterwards, if the day is not past by then.
  if (!found || found.halted || found.dataIncomplete) return;
  const { today } = found;
  const rows = await RtiAlert.query(trx)
    .where({ organizationId, studentId, state: 'dismissed', expiryTold: false })
    .where('expiresOn', '>', today)
    .where('expiresOn', '<=', daysAfter(today, rules.settings.expiryNoticeDays))
    .orderBy('id');
  for (const row of rows) {
    const { expiresOn } = row;
    if (expiresOn === null) continue;
    await appendEvents(trx, now, [expiring(await changeAlert(trx, row, { expiryTold: true }), expiresOn)]);
  }
}

/** Throws ENGINE_UNAVAILABLE. */
const noticeDays = async (trx: Trx, { rules }: Services, now: Date): Promise<number> =>
  rtiRules((await rules.at(trx, now)).rules).settings.expiryNoticeDays;
