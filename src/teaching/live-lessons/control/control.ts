// One touch on the remote control.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import type { CallWith } from '../call.ts';
import { endLive } from '../ending/end.ts';
import { lockLive } from '../rows/lock.ts';
import { moveLive, nextOf } from '../rows/move.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import type { ControlBody } from './schemas.ts';

type Body = Static<typeof ControlBody>;

/** VALIDATION_ERROR, then CONFLICT. An end has more to do than to move the session on. */
export async function controlLive(
  call: CallWith<Body>,
  { organizationId, id }: LiveSessionRow,
): Promise<LiveSessionRow> {
  const { services, trx, actor, body } = call;
  requireFields(body);
  const row = await lockLive(trx, organizationId, id);
  const now = services.clock.now();
  const move = { kind: 'control', ...body } as const;
  if (body.action !== 'end') return moveLive(trx, row, move, now);
  nextOf(row, move);
  return endLive(trx, services, row, now, actor.userId);
}

function requireFields({ action, itemRef }: Body): void {
  if (action === 'goto' && itemRef === undefined) throw invalid('itemRef', 'is required');
  if (action !== 'goto' && itemRef !== undefined) throw invalid('itemRef', 'not_for_action');
}
