// One action of the remote control.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import type { CallWith } from '../call.ts';
import { endLive } from '../ending/end.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { lockLive } from '../rows/lock.ts';
import { moveLive, nextOf } from '../rows/move.ts';
import type { ControlBody } from './schemas.ts';

type Body = Static<typeof ControlBody>;

/** Throws VALIDATION_ERROR and CONFLICT. The action `end` also closes runs and records deliveries. */
export async function controlLive(call: CallWith<Body>, { organizationId, id }: LiveLessonRow): Promise<LiveLessonRow> {
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
