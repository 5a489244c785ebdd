// Whoever waved an alert away is told a few days before it is looked at again, once for each time.

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

/** Of one organization, each student alone and on their own day. The first failure is thrown when all have had their turn. */
export async function tellExpiries(services: Services, organizationId: string): Promise<void> {
  const waiting = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    untold(trx, services, organizationId),
  );
  await eachInTurn(
    waiting,
    (studentId) =>
      inContext(services.db, { organizationId }, (trx) => tellStudent(trx, services, organizationId, studentId)),
    (error, studentId) => services.log.error({ err: error, studentId }, 'a dismissal that ends soon could not be told'),
  );
}

/** Students of whom there may be something to tell: a day more than any own date asks for, whatever their time zone. */
async function untold(trx: Trx, services: Services, organizationId: string): Promise<number[]> {
  const now = services.clock.now();
  const until = daysAfter(localDate(now, 'UTC'), (await noticeDays(trx, services, now)) + 1);
  const rows = await RtiAlert.query(trx)
    .where({ organizationId, state: 'dismissed', expiryTold: false })
    .where('expiresOn', '<=', until)
    .distinct('studentId')
    .orderBy('studentId');
  return rows.map(({ studentId }) => studentId);
}

async function tellStudent(trx: Trx, services: Services, organizationId: string, studentId: number): Promise<void> {
  await lockSupport(trx, organizationId, [studentId]);
  const now = services.clock.now();
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const found = situations.get(studentId);
  // RAL-01: nothing comes back meanwhile. It is told when that is over, if the day is not past by then.
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
