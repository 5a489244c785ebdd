// A model of a live lesson that replays its events in order and checks every step against the state before it.
import * as assert from 'uvu/assert';
import type { Json } from './lesson.ts';

export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Json;
}

export interface ModelState {
  readonly state: string;
  readonly itemRef: string | null;
  readonly locked: boolean;
  /** The state of the newest run of own items, by student. */
  readonly ownRuns: ReadonlyMap<unknown, string>;
  /** Answered items, as `<student> <item>`. */
  readonly answered: ReadonlySet<string>;
}

const atFirst: ModelState = { state: 'draft', itemRef: null, locked: false, ownRuns: new Map(), answered: new Set() };

/** Throws for an event that is impossible in its state. */
export const replayed = (events: readonly LoggedEvent[]): ModelState => events.reduce(after, atFirst);

function after(before: ModelState, { seq, type, data }: LoggedEvent): ModelState {
  const at = `event ${seq} ${type}`;
  if (type === 'state_changed') {
    assert.ok(follows(before.state, String(data.state)), `${at}: ${data.state} after ${before.state}`);
    const itemRef = data.state === 'ended' ? null : before.itemRef;
    return { ...before, state: String(data.state), itemRef };
  }
  if (type === 'item_changed') {
    assert.is.not(data.itemRef, before.itemRef, at);
    return { ...before, itemRef: String(data.itemRef) };
  }
  if (type === 'lock_changed') {
    assert.is(data.responsesLocked, !before.locked, at);
    return { ...before, locked: data.responsesLocked === true };
  }
  if (type === 'ism_changed') {
    return { ...before, ownRuns: new Map([...before.ownRuns, [data.studentId, String(data.runState)]]) };
  }
  return type === 'response_recorded' ? answered(before, data, at) : before;
}

const follows = (from: string, to: string): boolean =>
  [...['draft live', 'live paused', 'paused live', 'live ended', 'paused ended']].includes(`${from} ${to}`);

/** Requires a first answer to an item; for the source `current`, the item is current and answers are not locked. */
function answered(before: ModelState, { studentId, itemRef, source }: Json, at: string): ModelState {
  const key = `${studentId} ${itemRef}`;
  assert.not(before.answered.has(key), `${at}: ${key} a second time`);
  if (source !== 'projector') assert.is(before.state, 'live', at);
  if (source === 'current') assert.equal([before.itemRef, before.locked], [itemRef, false], at);
  if (source === 'ism') assert.is(before.ownRuns.get(studentId), 'running', at);
  return { ...before, answered: new Set([...before.answered, key]) };
}
