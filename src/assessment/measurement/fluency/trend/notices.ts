// Notices to teachers about repeated measurement: a signal of a series opened or closed.
import { IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { TextId } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { notice, notificationKind, notify, teachersOfStudents } from '#messaging/notifications/index.ts';
import { measureCodes } from '../../enums.ts';
import { cbmAlertClosed, cbmAlertOpened } from '../../events.ts';
import { type TrendType, trendTypes } from '../engine/cbm-rules.ts';
import { signals } from '../engine/signals.ts';

const signalLife = notificationKind(
  'cbm_alert_lifecycle',
  object({
    studentId: IntegerId,
    alertId: TextId,
    alertKind: oneOf(signals),
    measureCode: oneOf(measureCodes),
    trend: oneOf(trendTypes),
    state: oneOf(['opened', 'closed']),
  }),
);

export const signalNotificationKinds = [signalLife] as const;

export const signalNotices = notify({
  name: 'notify-cbm-alert',
  to: [cbmAlertOpened, cbmAlertClosed],
  async notices(trx, organizationId, events) {
    const studentIds = events.map(({ payload }) => payload.studentId);
    const teachersOf = await teachersOfStudents(trx, organizationId, studentIds);
    const trendOf = await trendsOf(
      trx,
      organizationId,
      events.map(({ payload }) => payload.alertId),
    );
    return new Map(
      events.map(({ id, topic, payload: { studentId, alertId, kind: alertKind, measureCode } }) => {
        const state = topic === cbmAlertOpened.topic ? ('opened' as const) : ('closed' as const);
        const trend = trendOf(alertId, state);
        const to = { recipients: teachersOf(studentId), source: { type: 'cbm_alert', id: alertId } };
        const event = trend && notice(signalLife, { studentId, alertId, alertKind, measureCode, trend, state }, to);
        return [id, event ? [event] : []];
      }),
    );
  },
});

interface Trends {
  readonly id: string;
  readonly opened: TrendType;
  readonly closed: TrendType | null;
}

/** Returns the trends that opened and closed each signal. */
async function trendsOf(trx: Trx, organizationId: string, alertIds: readonly string[]) {
  const rows = await rowsOf<Trends>(
    trx,
    `select a.id, o.trend_type as opened, c.trend_type as closed from cbm_alert a
     join cbm_trend o on o.organization_id = a.organization_id and o.id = a.opened_by_trend_id
       and o.school_year = a.school_year
     left join cbm_trend c on c.organization_id = a.organization_id and c.id = a.closed_by_trend_id
       and c.school_year = a.closed_in_school_year
     where a.organization_id = :organizationId and a.id = any(:alertIds::text[])`,
    { organizationId, alertIds: [...alertIds] },
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (alertId: string, state: 'opened' | 'closed') => byId.get(alertId)?.[state] ?? undefined;
}
