// A draft is accepted (BSN-03), is laid out for students to answer (BSN-05), or a session is called off (BSN-07).
import type { Static } from 'typebox';
import { conflict, invalid } from '#core/platform/errors.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { excludeAnew } from '../recipients/again.ts';
import { changeSession } from '../rows/change.ts';
import { requireCall } from '../rows/moves.ts';
import { lockSession, type SessionRow } from '../rows/store.ts';
import type { SessionCallOf } from './call.ts';
import type { CancellationBody, DistributedView } from './schemas.ts';

type Plain = Omit<SessionCallOf<unknown>, 'body'>;

/** CONFLICT `no_recipients` where nobody is left: nothing is kept then. */
export async function accept({ services, trx, actor, scope }: Plain): Promise<SessionRow> {
  const row = await lockSession(trx, scope.session);
  const now = services.clock.now();
  requireCall('accept', row);
  const left = await excludeAnew(trx, services, row, now);
  if (left.length === 0) throw conflict('no_recipients', 'The session is for nobody.', 'recipients');
  const act = { action: 'accepted', actorUserId: actor.userId, changedFields: ['state'], now } as const;
  return changeSession(trx, row, { state: 'accepted' }, act);
}

const onlineModes: readonly string[] = ['blended', 'digital_self_paced'];
export const isOnline = ({ deliveryMode }: Pick<SessionRow, 'deliveryMode'>): boolean =>
  onlineModes.includes(deliveryMode);

/** CONFLICT `mode_not_online` for one that a teacher leads. */
export async function distribute({ services, trx, actor, scope }: Plain): Promise<Static<typeof DistributedView>> {
  const row = await lockSession(trx, scope.session);
  const now = services.clock.now();
  requireCall('distribute', row);
  if (!isOnline(row)) {
    throw conflict('mode_not_online', 'A session that a teacher leads is not laid out online.', 'deliveryMode');
  }
  const left = await excludeAnew(trx, services, row, now);
  const change = { state: 'distributed', distributedAt: now.toISOString() } as const;
  const changedFields = ['state', 'distributedAt'];
  await changeSession(trx, row, change, { action: 'distributed', actorUserId: actor.userId, changedFields, now });
  return { sessionId: row.id, distributed: left.length };
}

const scopeOfCode = 'session_cancel';

export async function cancel(call: SessionCallOf<Static<typeof CancellationBody>>): Promise<SessionRow> {
  const { services, trx, actor, scope, body } = call;
  const { codes } = interventionRules((await services.rules.at(trx, call.now)).rules);
  const fault = codes.faultOf(body.reasonCode, scopeOfCode);
  if (fault) throw invalid('reasonCode', fault);
  const row = await lockSession(trx, scope.session);
  const now = services.clock.now();
  requireCall('cancel', row);
  const change = { state: 'cancelled', cancelReasonCode: body.reasonCode, closedAt: now.toISOString() } as const;
  const changedFields = ['state', 'cancelReasonCode'];
  return changeSession(trx, row, change, { action: 'cancelled', actorUserId: actor.userId, changedFields, now });
}
