// Delivery of a lesson (BSN-06): recorded once, with attendance and answers, for the assignments of its recipients.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { refuseMerged } from '#identity/people/index.ts';
import { interventionRules, supportCommands } from '#support/interventions/index.ts';
import { analysableAnswers } from '../answers/analysable.ts';
import { includedIds, type LessonRow, recipientsOf } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import type { LessonCallOf } from './call.ts';
import { closeAsDelivered } from './close-delivered.ts';
import type { LessonEditBody } from './schemas.ts';

type Body = Static<typeof LessonEditBody>;
type Delivery = NonNullable<Body['delivery']>;

/** The caller holds the lock of the lesson, so that of two concurrent deliveries the second is refused. */
export async function deliver(call: LessonCallOf<Body>, row: LessonRow, delivery: Delivery): Promise<LessonRow> {
  const { services, trx, actor, now } = call;
  const included = includedIds(await recipientsOf(trx, row));
  await refuseMerged(trx, row.organizationId, delivery.presentStudentIds, 'delivery.presentStudentIds');
  await requireDay(call, delivery.deliveredOn);
  const excluded = delivery.presentStudentIds.findIndex((id) => !included.includes(id));
  if (excluded >= 0) throw invalid(`delivery.presentStudentIds.${excluded}`, 'not_included');
  requireAcceptedCall('deliver', row);
  const closed = await closeAsDelivered(trx, row, { ...delivery, actorUserId: actor.userId, now });
  const present = new Set(delivery.presentStudentIds);
  const answers = await analysableAnswers(trx, services, row, now);
  await supportCommands.recordDeliveries(trx, services, {
    organizationId: row.organizationId,
    bundle_id: row.bundleId,
    deliveredOn: delivery.deliveredOn,
    now,
    source: { type: 'blueprint', id: row.id },
    present: [...present].map((studentId) => ({ studentId, responses: answers.get(studentId) ?? [] })),
    absent: included.filter((id) => !present.has(id)),
  });
  return closed;
}

/** The day must be within the days by which an assignment may be backdated, and not after today. */
async function requireDay({ services, trx, scope, now }: LessonCallOf<Body>, deliveredOn: string): Promise<void> {
  const { settings } = interventionRules((await services.rules.at(trx, now)).rules);
  const today = localDate(now, scope.classRow.timeZone);
  const isTooEarly = deliveredOn < daysBefore(today, settings.startPastDays);
  if (isTooEarly || deliveredOn > today) throw invalid('delivery.deliveredOn', 'out_of_range');
}
