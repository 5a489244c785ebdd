// A session is changed before it is given: its day, its way, its items and the order of its segments (BSN-02, BSN-04). That it
// was given is told here too, and stands alone.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { findBlueprint, type StoredBlueprint } from '../../lesson-blueprints/index.ts';
import { arranged } from '../content/content.ts';
import { changeSession } from '../rows/change.ts';
import { requireCall } from '../rows/moves.ts';
import { lockSession, type SessionChange, type SessionRow } from '../rows/store.ts';
import type { SessionCallOf } from './call.ts';
import { deliver } from './deliver.ts';
import type { EditBody } from './schemas.ts';

type Body = Static<typeof EditBody>;

export async function editSession(asked: SessionCallOf<Body>): Promise<SessionRow> {
  const { services, trx, actor, scope, body } = asked;
  const { delivery, ...fields } = body;
  if (delivery !== undefined && Object.keys(fields).length > 0) throw invalid('delivery', 'stands_alone');
  const row = await lockSession(trx, scope.session);
  const now = services.clock.now();
  const call = { ...asked, now };
  if (delivery !== undefined) return deliver(call, row, delivery);
  const change = await changeOf(call, row);
  requireCall(Object.keys(fields).every((name) => name === 'scheduledOn') ? 'reschedule' : 'edit', row);
  const changedFields = changedIn(row, change);
  if (changedFields.length === 0) return row;
  return changeSession(trx, row, change, { action: 'edited', actorUserId: actor.userId, changedFields, now });
}

/** VALIDATION_ERROR for what the blueprint, or the session by now, does not have. */
async function changeOf({ trx, body }: SessionCallOf<Body>, row: SessionRow): Promise<SessionChange> {
  const { scheduledOn, deliveryMode, removeItemRefs, segmentOrder } = body;
  const blueprint = await findBlueprint(trx, row.blueprintId);
  if (!blueprint) throw new RangeError(`blueprint ${row.blueprintId} is gone`);
  if (deliveryMode !== undefined && !blueprint.content.deliveryModes.includes(deliveryMode)) {
    throw invalid('deliveryMode', 'mode_not_offered');
  }
  return {
    ...(scheduledOn !== undefined && { scheduledOn }),
    ...(deliveryMode !== undefined && { deliveryMode }),
    ...(removeItemRefs !== undefined && { removedItemRefs: removedBy(removeItemRefs, row, blueprint) }),
    ...(segmentOrder !== undefined && { segmentOrder: orderedBy(segmentOrder, row) }),
  };
}

function removedBy(itemRefs: readonly string[], row: SessionRow, { content }: StoredBlueprint): string[] {
  const present = new Set(arranged(content, row).items.map(({ itemRef }) => itemRef));
  const unknown = itemRefs.findIndex((itemRef) => !present.has(itemRef));
  if (unknown >= 0) throw invalid(`removeItemRefs.${unknown}`, 'unknown_item');
  return [...row.removedItemRefs, ...itemRefs].sort();
}

/** The session's segments are numbered from 1 in their present order. */
function orderedBy(numbers: readonly number[], { segmentOrder }: SessionRow): number[] {
  const ordered = numbers.flatMap((number) => segmentOrder[number - 1] ?? []);
  if (ordered.length !== segmentOrder.length) throw invalid('segmentOrder', 'not_a_permutation');
  return ordered;
}

/** As the answer of a session names them; items leave their segments with themselves. */
function changedIn(row: SessionRow, change: SessionChange): string[] {
  const differs = (name: keyof SessionChange) =>
    change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(row[name]);
  const items = differs('removedItemRefs');
  return [
    ...(differs('scheduledOn') ? ['scheduledOn'] : []),
    ...(differs('deliveryMode') ? ['deliveryMode'] : []),
    ...(items || differs('segmentOrder') ? ['segments'] : []),
    ...(items ? ['items'] : []),
  ];
}
