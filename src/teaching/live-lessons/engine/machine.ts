// The state machine of a live lesson (LVS), with the current item and a version for optimistic concurrency of remote controls.

import { hourMs } from '#core/platform/pure/dates/durations.ts';
import type { ControlAction, LiveState } from '../enums.ts';

export interface LiveMachine {
  readonly state: LiveState;
  readonly controlVersion: number;
  /** The playlist, in order. */
  readonly itemRefs: readonly string[];
  /** Null unless the lesson is live or paused. */
  readonly currentItemRef: string | null;
  readonly responsesLocked: boolean;
}

export type LiveMove =
  | { readonly kind: 'start' }
  | {
      readonly kind: 'control';
      readonly action: ControlAction;
      /** Only for `goto`. */
      readonly itemRef?: string;
      readonly expectedVersion?: number;
    }
  | ({ readonly kind: 'playlist' } & NewPlaylist);

export interface NewPlaylist {
  readonly itemRefs: readonly string[];
  /** Items answered by any student, in this playlist or an earlier one. */
  readonly answered: ReadonlySet<string>;
  /** Those of `itemRefs` that name another question than the one that was answered or is being worked on. */
  readonly replaced: ReadonlySet<string>;
}

export type LiveRefusal =
  | 'invalid_transition'
  | 'version_conflict'
  | 'empty_playlist'
  | 'no_such_item'
  | 'item_answered';

export type LiveStep = { readonly next: LiveMachine } | { readonly refused: LiveRefusal };

/** Checks in order: an ended lesson refuses everything (LVS-07), then the version, the state and the item are checked. */
export function stepOf(machine: LiveMachine, move: LiveMove): LiveStep {
  if (machine.state === 'ended' || machine.state === 'cancelled') return { refused: 'invalid_transition' };
  if (move.kind === 'start') return started(machine);
  if (move.kind === 'playlist') return withPlaylist(machine, move);
  const { expectedVersion = machine.controlVersion } = move;
  if (expectedVersion !== machine.controlVersion) return { refused: 'version_conflict' };
  return controlled(machine, move.action, move.itemRef);
}

/** LVS-02 */
function started(machine: LiveMachine): LiveStep {
  const [first] = machine.itemRefs;
  if (machine.state !== 'draft') return { refused: 'invalid_transition' };
  if (first === undefined) return { refused: 'empty_playlist' };
  return moved(machine, { state: 'live', currentItemRef: first });
}

/**
 * When the current item is removed, the next remaining item of the old order becomes current, otherwise the last of the new.
 * Items that were answered in an earlier playlist and are not in the current one do not prevent a replacement.
 */
function withPlaylist(machine: LiveMachine, { itemRefs, answered, replaced }: NewPlaylist): LiveStep {
  const remaining = new Set(itemRefs);
  const { currentItemRef, itemRefs: before } = machine;
  const removed = before.some((itemRef) => answered.has(itemRef) && !remaining.has(itemRef));
  if (removed || replaced.size > 0) return { refused: 'item_answered' };
  if (currentItemRef === null) return moved(machine, { itemRefs });
  const following = before.slice(before.indexOf(currentItemRef));
  return moved(machine, {
    itemRefs,
    currentItemRef: following.find((itemRef) => remaining.has(itemRef)) ?? itemRefs.at(-1) ?? null,
  });
}

/** The states in which an action is allowed. */
const sources: Readonly<Record<ControlAction, readonly LiveState[]>> = {
  pause: ['live'],
  resume: ['paused'],
  next: ['live'],
  previous: ['live'],
  goto: ['live'],
  lock: ['live'],
  unlock: ['live'],
  end: ['live', 'paused'],
  cancel: ['draft'],
};

function controlled(machine: LiveMachine, action: ControlAction, itemRef: string | undefined): LiveStep {
  if (!sources[action].includes(machine.state)) return { refused: 'invalid_transition' };
  const target = itemAfter(machine, action, itemRef);
  return target === undefined ? { refused: 'no_such_item' } : moved(machine, { ...changes[action], ...target });
}

/** LVS-03 to LVS-06. */
const changes: Readonly<Record<ControlAction, Partial<LiveMachine>>> = {
  pause: { state: 'paused' },
  resume: { state: 'live' },
  next: {},
  previous: {},
  goto: {},
  lock: { responsesLocked: true },
  unlock: { responsesLocked: false },
  end: { state: 'ended', currentItemRef: null },
  cancel: { state: 'cancelled' },
};

/** Returns the change of the current item; undefined when the target item does not exist. */
function itemAfter(
  { itemRefs, currentItemRef }: LiveMachine,
  action: ControlAction,
  itemRef: string | undefined,
): Partial<LiveMachine> | undefined {
  if (action !== 'next' && action !== 'previous' && action !== 'goto') return {};
  const now = itemRefs.indexOf(currentItemRef ?? '');
  const at = action === 'goto' ? itemRefs.indexOf(itemRef ?? '') : now + (action === 'next' ? 1 : -1);
  const target = at < 0 ? undefined : itemRefs[at];
  return target === undefined ? undefined : { currentItemRef: target };
}

const moved = (machine: LiveMachine, change: Partial<LiveMachine>): LiveStep => ({
  next: { ...machine, ...change, controlVersion: machine.controlVersion + 1 },
});

/** The events to all participants when the lesson has moved on. */
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

/** The maximum duration of a lesson and of a draft (LVS-05, LVS-06). */
export const maxLessonMs = 4 * hourMs;
export const maxDraftMs = 12 * hourMs;

/** Returns the instant from which the lesson accepts nothing more. */
export const expiresAt = ({ startedAt, createdAt }: { startedAt: string | null; createdAt: string }): Date =>
  new Date(startedAt === null ? Date.parse(createdAt) + maxDraftMs : Date.parse(startedAt) + maxLessonMs);
