// Whoever waved an alert away is told a few days before it is looked at again, once for each time.

import { lockSupport, placesOf } from '../../interventions/index.ts';
import { appendEvents } from '../../kernel/events.ts';
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import { daysAfter } from '../../platform/pure/dates/days.ts';
import { expiring } from '../events.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { rtiRules } from '../rules/compiled.ts';
import { changeAlert } from './change.ts';

/** Of one organization, on the day of each student. Throws ENGINE_UNAVAILABLE. */
export async function tellExpiries(trx: Trx, { rules, clock }: Services, organizationId: string): Promise<void> {
  const now = clock.now();
  const { settings } = rtiRules((await rules.at(trx, now)).rules);
  const waiting = await untold(trx, organizationId, daysAfter(localDate(now, 'UTC'), settings.expiryNoticeDays + 1));
  const places = await placesOf(trx, organizationId, waiting);
  const zones = new Map(places.map(({ studentId, timeZone }) => [studentId, timeZone]));
  await lockSupport(trx, organizationId, [...zones.keys()]);
  const rows = await RtiAlert.query(trx)
    .where({ organizationId, state: 'dismissed', expiryTold: false })
    .whereIn('studentId', [...zones.keys()])
    .orderBy(['studentId', 'id']);
  for (const row of rows) {
    const today = localDate(now, zones.get(row.studentId) ?? 'UTC');
    const { expiresOn } = row;
    if (expiresOn === null || expiresOn > daysAfter(today, settings.expiryNoticeDays) || expiresOn <= today) continue;
    const told = await changeAlert(trx, row, { expiryTold: true });
    await appendEvents(trx, now, [expiring(told, expiresOn)]);
  }
}

/** A day more than any student's own date asks for: the clocks of all time zones are within it. */
async function untold(trx: Trx, organizationId: string, until: string): Promise<number[]> {
  const rows = await RtiAlert.query(trx)
    .where({ organizationId, state: 'dismissed', expiryTold: false })
    .where('expiresOn', '<=', until)
    .distinct('studentId');
  return rows.map(({ studentId }) => studentId);
}
