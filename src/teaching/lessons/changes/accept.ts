// Accepting a draft (BSN-03), distributing a lesson to its students (BSN-05) and cancelling a lesson (BSN-07).
import type { Static } from 'typebox';
import { conflict, invalid } from '#core/platform/errors.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { excludeIneligible } from '../recipients/exclude.ts';
import { changeLesson } from '../rows/change.ts';
import { type LessonRow, lockLesson } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import type { LessonCallOf } from './call.ts';
import type { CancellationBody, DistributedView } from './schemas.ts';

type BodilessCall = Omit<LessonCallOf<unknown>, 'body'>;

/** Throws CONFLICT `no_recipients` when no recipient remains; the transaction is rolled back then. */
export async function accept({ services, trx, actor, scope }: BodilessCall): Promise<LessonRow> {
  const row = await lockLesson(trx, scope.lesson);
  const now = services.clock.now();
  requireAcceptedCall('accept', row);
  const left = await excludeIneligible(trx, services, row, now);
  if (left.length === 0) throw conflict('no_recipients', 'The lesson has no recipients.', 'recipients');
  const act = { action: 'accepted', actorUserId: actor.userId, changedFields: ['state'], now } as const;
  return changeLesson(trx, row, { state: 'accepted' }, act);
}

const onlineModes: readonly string[] = ['blended', 'digital_self_paced'];
export const isOnline = ({ deliveryMode }: Pick<LessonRow, 'deliveryMode'>): boolean =>
  onlineModes.includes(deliveryMode);

/** Throws CONFLICT `mode_not_online` for a delivery mode that a teacher leads. */
export async function distribute({
  services,
  trx,
  actor,
  scope,
}: BodilessCall): Promise<Static<typeof DistributedView>> {
  const row = await lockLesson(trx, scope.lesson);
  const now = services.clock.now();
  requireAcceptedCall('distribute', row);
  if (!isOnline(row)) {
    throw conflict('mode_not_online', 'A lesson that a teacher leads cannot be distributed online.', 'deliveryMode');
  }
  const left = await excludeIneligible(trx, services, row, now);
  const change = { state: 'distributed', distributedAt: now.toISOString() } as const;
  const changedFields = ['state', 'distributedAt'];
  await changeLesson(trx, row, change, { action: 'distributed', actorUserId: actor.userId, changedFields, now });
  return { sessionId: row.id, distributed: left.length };
}

const scopeOfCode = 'session_cancel';

export async function cancel(call: LessonCallOf<Static<typeof CancellationBody>>): Promise<LessonRow> {
  const { services, trx, actor, scope, body } = call;
  const { codes } = interventionRules((await services.rules.at(trx, call.now)).rules);
  const fault = codes.faultOf(body.reasonCode, scopeOfCode);
  if (fault) throw invalid('reasonCode', fault);
  const row = await lockLesson(trx, scope.lesson);
  const now = services.clock.now();
  requireAcceptedCall('cancel', row);
  const change = { state: 'cancelled', cancelReasonCode: body.reasonCode, closedAt: now.toISOString() } as const;
  const changedFields = ['state', 'cancelReasonCode'];
  return changeLesson(trx, row, change, { action: 'cancelled', actorUserId: actor.userId, changedFields, now });
}
