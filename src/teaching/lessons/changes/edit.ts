// Changes of a lesson before its delivery: date, delivery mode, items and order of segments (BSN-02, BSN-04). The same request
// records the delivery, which cannot be combined with other changes.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { findBlueprint, type StoredBlueprint } from '../../lesson-blueprints/index.ts';
import { arrangeContent } from '../content/content.ts';
import { changeLesson } from '../rows/change.ts';
import { type LessonChange, type LessonRow, lockLesson } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import type { LessonCallOf } from './call.ts';
import { deliver } from './deliver.ts';
import type { LessonEditBody } from './schemas.ts';

type Body = Static<typeof LessonEditBody>;

export async function editLesson(request: LessonCallOf<Body>): Promise<LessonRow> {
  const { services, trx, actor, scope, body } = request;
  const { delivery, ...fields } = body;
  if (delivery !== undefined && Object.keys(fields).length > 0) throw invalid('delivery', 'stands_alone');
  const row = await lockLesson(trx, scope.lesson);
  const now = services.clock.now();
  const call = { ...request, now };
  if (delivery !== undefined) return deliver(call, row, delivery);
  const change = await changeOf(call, row);
  requireAcceptedCall(Object.keys(fields).every((name) => name === 'scheduledOn') ? 'reschedule' : 'edit', row);
  const changedFields = changedIn(row, change);
  if (changedFields.length === 0) return row;
  return changeLesson(trx, row, change, { action: 'edited', actorUserId: actor.userId, changedFields, now });
}

/** Throws VALIDATION_ERROR for items, segments or modes that the blueprint or the lesson does not have. */
async function changeOf({ trx, body }: LessonCallOf<Body>, row: LessonRow): Promise<LessonChange> {
  const { scheduledOn, deliveryMode, removeItemRefs, segmentOrder } = body;
  const blueprint = await findBlueprint(trx, row.blueprintId);
  if (!blueprint) throw new RangeError(`blueprint ${row.blueprintId} does not exist`);
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

function removedBy(itemRefs: readonly string[], row: LessonRow, { content }: StoredBlueprint): string[] {
  const present = new Set(arrangeContent(content, row).items.map(({ itemRef }) => itemRef));
  const unknown = itemRefs.findIndex((itemRef) => !present.has(itemRef));
  if (unknown >= 0) throw invalid(`removeItemRefs.${unknown}`, 'unknown_item');
  return [...row.removedItemRefs, ...itemRefs].sort();
}

/** `numbers` are the lesson's segment numbers, from 1 in their current order. */
function orderedBy(numbers: readonly number[], { segmentOrder }: LessonRow): number[] {
  const ordered = numbers.flatMap((number) => segmentOrder[number - 1] ?? []);
  if (ordered.length !== segmentOrder.length) throw invalid('segmentOrder', 'not_a_permutation');
  return ordered;
}

/** Returns the changed fields under their names in the response; removed items change their segments too. */
function changedIn(row: LessonRow, change: LessonChange): string[] {
  const differs = (name: keyof LessonChange) =>
    change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(row[name]);
  const items = differs('removedItemRefs');
  return [
    ...(differs('scheduledOn') ? ['scheduledOn'] : []),
    ...(differs('deliveryMode') ? ['deliveryMode'] : []),
    ...(items || differs('segmentOrder') ? ['segments'] : []),
    ...(items ? ['items'] : []),
  ];
}
