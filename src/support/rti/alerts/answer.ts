// Actions of people on an alert (ALT-06 to ALT-08, ALT-14): acknowledge it, or dismiss it for a period.

import { appendEvents } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { underLock } from '../../interventions/index.ts';
import { acknowledgeFault, dismissFault } from '../engine/alerts/moves.ts';
import { dismissal } from '../events.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { rtiRules } from '../rules/compiled.ts';
import { type RtiSituations, rtiSituationsOf } from '../situations/situations.ts';
import { changeAlert } from './change.ts';
import { type PresentedAlert, presentRtiAlert } from './present.ts';

export interface AlertCall {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
  readonly scope: RtiAlert;
  readonly actor: { readonly userId: number };
}

/** Idempotent. Throws CONFLICT `invalid_transition`. */
export async function acknowledge(call: AlertCall): Promise<PresentedAlert> {
  const { trx, actor } = call;
  const { row, found, now } = await locked(call);
  requireNone(acknowledgeFault(row));
  if (row.acknowledgedAt !== null) return presented(row, found, now);
  const change = { acknowledgedAt: now.toISOString(), acknowledgedBy: actor.userId };
  return presented(await changeAlert(trx, row, change), found, now);
}

/** Throws VALIDATION_ERROR for a code that is not for dismissals; CONFLICT `invalid_transition` or `not_dismissible`. */
export async function dismissAlert(
  call: AlertCall & { readonly body: { readonly overrideCode: string } },
): Promise<PresentedAlert> {
  const { trx, actor, body } = call;
  await requireCode(call, body.overrideCode);
  const { row, found, now } = await locked(call);
  requireNone(dismissFault(row));
  const today = found.situations.get(row.studentId)?.today ?? row.openedOn;
  const expiresOn = daysAfter(today, found.rules.settings.dismissalDays);
  const after = await changeAlert(trx, row, {
    ...{ state: 'dismissed', dismissedAt: now.toISOString(), dismissedBy: actor.userId },
    ...{ dismissalCode: body.overrideCode, expiresOn, expiryTold: false, dueOn: null },
  });
  await appendEvents(trx, now, [dismissal(after, expiresOn)]);
  return presented(after, found, now);
}

async function requireCode({ services, trx, now }: AlertCall, code: string): Promise<void> {
  const fault = rtiRules((await services.rules.at(trx, now)).rules).codes.faultOf(code, 'alert_dismissal');
  if (fault) throw invalid('overrideCode', fault);
}

interface LockedAlert {
  readonly row: RtiAlert;
  readonly found: RtiSituations;
  /** Taken under the lock. */
  readonly now: Date;
}

/** Reads the row under the lock. */
async function locked(call: AlertCall): Promise<LockedAlert> {
  const { organizationId, id, studentId } = call.scope;
  const { services, trx, now } = await underLock(call, { organizationId, studentId });
  const row = await RtiAlert.query(trx).findOne({ organizationId, id });
  if (!row) throw notFound();
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  return { row, found, now };
}

function requireNone(fault: 'invalid_transition' | 'not_dismissible' | undefined): void {
  if (fault) throw conflict(fault, 'The alert does not allow this; see details.');
}

const presented = (row: RtiAlert, { situations, rules }: RtiSituations, now: Date): PresentedAlert =>
  presentRtiAlert(row, { situation: situations.get(row.studentId), rules, now });
