// What everybody in a live session is told when it has moved on.
import type { LiveMachine } from './machine.ts';

export type LiveNews =
  | { readonly type: 'state_changed'; readonly data: { readonly state: LiveMachine['state'] } }
  | { readonly type: 'item_changed'; readonly data: { readonly itemRef: string } }
  | { readonly type: 'lock_changed'; readonly data: { readonly responsesLocked: boolean } };

/** Of what is another one than before. The end tells its state alone: no item is current any more. */
export function newsOf(before: LiveMachine, after: LiveMachine): LiveNews[] {
  const { state, currentItemRef: itemRef, responsesLocked } = after;
  const news: LiveNews[] = [];
  if (state !== before.state) news.push({ type: 'state_changed', data: { state } });
  if (itemRef !== null && itemRef !== before.currentItemRef) news.push({ type: 'item_changed', data: { itemRef } });
  if (responsesLocked !== before.responsesLocked) news.push({ type: 'lock_changed', data: { responsesLocked } });
  return news;
}
