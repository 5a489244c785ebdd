// A blueprint session was given (BSN-06): told once, with who was there and what they answered, to the plans of those it was for.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { interventionRules, support } from '#support/interventions/index.ts';
import { analysableAnswers } from '../answers/analysable.ts';
import { requireCall } from '../rows/moves.ts';
import { includedIds, recipientsOf, type SessionRow } from '../rows/store.ts';
import type { SessionCallOf } from './call.ts';
import { closeAsGiven } from './close.ts';
import type { EditBody } from './schemas.ts';

type Body = Static<typeof EditBody>;
type Delivery = NonNullable<Body['delivery']>;

/** The row is locked: of two who tell it, the second finds it told. */
export async function deliver(call: SessionCallOf<Body>, row: SessionRow, delivery: Delivery): Promise<SessionRow> {
  const { services, trx, actor, now } = call;
  const included = includedIds(await recipientsOf(trx, row));
  await requireDay(call, delivery.deliveredOn);
  const stranger = delivery.presentStudentIds.findIndex((id) => !included.includes(id));
  if (stranger >= 0) throw invalid(`delivery.presentStudentIds.${stranger}`, 'not_included');
  requireCall('deliver', row);
  const closed = await closeAsGiven(trx, row, { ...delivery, actorUserId: actor.userId, now });
  const present = new Set(delivery.presentStudentIds);
  const answers = await analysableAnswers(trx, services, row, now);
  await support.recordDeliveries(trx, services, {
    ...{ organizationId: row.organizationId, bundle_id: row.bundleId, deliveredOn: delivery.deliveredOn, now },
    source: { type: 'blueprint', id: row.id },
    present: [...present].map((studentId) => ({ studentId, responses: answers.get(studentId) ?? [] })),
    absent: included.filter((id) => !present.has(id)),
  });
  return closed;
}

/** As far back as a plan may begin, and not after today. */
async function requireDay({ services, trx, scope, now }: SessionCallOf<Body>, deliveredOn: string): Promise<void> {
  const { settings } = interventionRules((await services.rules.at(trx, now)).rules);
  const today = localDate(now, scope.classRow.timeZone);
  const isTooEarly = deliveredOn < daysBefore(today, settings.startPastDays);
  if (isTooEarly || deliveredOn > today) throw invalid('delivery.deliveredOn', 'out_of_range');
}
