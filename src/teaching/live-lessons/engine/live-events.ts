// The events to all participants when a live lesson has moved on.
import type { LiveMachine } from './machine.ts';

export type MoveEvent =
  | { readonly type: 'state_changed'; readonly data: { readonly state: LiveMachine['state'] } }
  | { readonly type: 'item_changed'; readonly data: { readonly itemRef: string } }
  | { readonly type: 'lock_changed'; readonly data: { readonly responsesLocked: boolean } };

/** Returns an event for each changed property. The end changes only the state, because no item is current afterwards. */
export function liveEventsOf(before: LiveMachine, after: LiveMachine): MoveEvent[] {
  const { state, currentItemRef: itemRef, responsesLocked } = after;
  const events: MoveEvent[] = [];
  if (state !== before.state) events.push({ type: 'state_changed', data: { state } });
  if (itemRef !== null && itemRef !== before.currentItemRef) events.push({ type: 'item_changed', data: { itemRef } });
  if (responsesLocked !== before.responsesLocked) events.push({ type: 'lock_changed', data: { responsesLocked } });
  return events;
}
