// Alerts for operators about notifications that were given up: one for each event and check, without the text or the recipient.
import { type AlertKind, openAlerts } from '#core/module/alerts.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RequestRefusal } from '../enums.ts';

export const notificationRefused = {
  kind: 'qa',
  code: 'NOTIFICATION_REFUSED',
  severity: 'high',
  subject: 'event',
  summary: 'A notification was given up: its kind is not known or not in use, or its payload does not fit.',
} as const satisfies AlertKind;

export const languageUnsafe = {
  kind: 'qa',
  code: 'LANGUAGE_UNSAFE',
  severity: 'critical',
  subject: 'event',
  summary: 'A notification was given up: its text does not pass the language filter of its recipient.',
} as const satisfies AlertKind;

export interface GivenUp {
  readonly eventId: number;
  readonly kind: string;
  readonly refusal: RequestRefusal;
}

export async function alertGivenUp(trx: Trx, organizationId: string, all: readonly GivenUp[], at: Date): Promise<void> {
  const isUnsafe = ({ refusal }: GivenUp) => refusal === 'LanguageUnsafe';
  const oncePerCheck = new Map(all.map((one) => [`${isUnsafe(one)} ${one.eventId}`, one]));
  const events = [...oncePerCheck.values()];
  const alertOf = ({ eventId, kind, refusal }: GivenUp) => ({
    ...{ organizationId, subjectId: eventId, details: { eventId, kind, refusal }, at },
  });
  await openAlerts(trx, languageUnsafe, events.filter(isUnsafe).map(alertOf));
  await openAlerts(trx, notificationRefused, events.filter((one) => !isUnsafe(one)).map(alertOf));
}
