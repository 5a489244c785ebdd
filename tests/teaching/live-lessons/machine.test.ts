// The state machine of a live lesson: every move from every state, compared with the table LVS of the contract.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inLessonOrder } from '#teaching/live-lessons/engine/item-order.ts';
import { type LiveMachine, type LiveMove, liveEventsOf, stepOf } from '#teaching/live-lessons/engine/machine.ts';
import { controlActions, liveStates } from '#teaching/live-lessons/enums.ts';

const itemRefs = ['a', 'b', 'c'];
const machine = (state: LiveMachine['state'], over: Partial<LiveMachine> = {}): LiveMachine => ({
  ...{ state, controlVersion: 4, itemRefs, responsesLocked: false },
  ...{ currentItemRef: state === 'live' || state === 'paused' ? 'b' : null },
  ...over,
});

const outcome = (from: LiveMachine, move: LiveMove): string => {
  const step = stepOf(from, move);
  if ('refused' in step) return step.refused;
  const { state, currentItemRef, responsesLocked, controlVersion } = step.next;
  assert.is(controlVersion, from.controlVersion + 1, 'each move raises the version by one');
  return [state, currentItemRef ?? '-', ...(responsesLocked ? ['locked'] : [])].join(' ');
};

const control = (action: (typeof controlActions)[number], rest: object = {}): LiveMove => ({
  ...{ kind: 'control', action },
  ...(action === 'goto' && { itemRef: 'c' }),
  ...rest,
});

/** The transitions of contract 52 §9.1 and §9.2. */
const allowed: Readonly<Record<string, string>> = {
  'draft start': 'live a',
  'draft cancel': 'cancelled -',
  'live pause': 'paused b',
  'live next': 'live c',
  'live previous': 'live a',
  'live goto': 'live c',
  'live lock': 'live b locked',
  'live unlock': 'live b',
  'live end': 'ended -',
  'paused resume': 'live b',
  'paused end': 'ended -',
};

for (const state of liveStates) {
  for (const name of ['start', ...controlActions] as const) {
    test(`LVS: ${name} while ${state}`, () => {
      const move: LiveMove = name === 'start' ? { kind: 'start' } : control(name);
      assert.is(outcome(machine(state), move), allowed[`${state} ${name}`] ?? 'invalid_transition');
    });
  }
}

test('LVS-02: an empty playlist cannot be started; there is no item beyond either end', () => {
  assert.is(outcome(machine('draft', { itemRefs: [] }), { kind: 'start' }), 'empty_playlist');
  assert.is(outcome(machine('live', { currentItemRef: 'c' }), control('next')), 'no_such_item');
  assert.is(outcome(machine('live', { currentItemRef: 'a' }), control('previous')), 'no_such_item');
  assert.is(outcome(machine('live'), control('goto', { itemRef: 'z' })), 'no_such_item');
});

test('LVS-07 is checked before the version, and that before the state and the item', () => {
  assert.is(outcome(machine('ended'), control('next', { expectedVersion: 3 })), 'invalid_transition');
  assert.is(outcome(machine('paused'), control('pause', { expectedVersion: 3 })), 'version_conflict');
  assert.is(outcome(machine('paused'), control('pause', { expectedVersion: 4 })), 'invalid_transition');
  assert.is(outcome(machine('live'), control('next', { expectedVersion: 4 })), 'live c');
});

const playlist = (
  refs: readonly string[],
  answered: readonly string[] = [],
  replaced: readonly string[] = [],
): LiveMove => ({
  ...{ kind: 'playlist', itemRefs: refs, answered: new Set(answered), replaced: new Set(replaced) },
});

test('a playlist without the current item: the next remaining one, otherwise the last; answered items stay', () => {
  assert.is(outcome(machine('live'), playlist(['c', 'a'])), 'live c');
  assert.is(outcome(machine('live'), playlist(['a'])), 'live a');
  assert.is(outcome(machine('live', { currentItemRef: 'c' }), playlist(['b', 'a'])), 'live a');
  assert.is(outcome(machine('live'), playlist(['x', 'y'])), 'live y');
  assert.is(outcome(machine('live'), playlist(['x', 'b', 'y'])), 'live b');
  assert.is(outcome(machine('paused'), playlist(['a', 'c'], ['b'])), 'item_answered');
  assert.is(outcome(machine('live'), playlist(['b'], ['b'])), 'live b');
  assert.is(outcome(machine('live'), playlist(['b', 'c'], ['x'])), 'live b', 'answered in an earlier playlist');
  assert.is(outcome(machine('live'), playlist(['a', 'b', 'c'], [], ['b'])), 'item_answered', 'another question');
  assert.is(outcome(machine('draft'), playlist(['c'])), 'draft -');
  assert.is(outcome(machine('cancelled'), playlist(['c'])), 'invalid_transition');
});

test('only changed properties raise events', () => {
  const eventsOf = (from: LiveMachine, move: LiveMove) => {
    const step = stepOf(from, move);
    return 'next' in step
      ? liveEventsOf(from, step.next).map(({ type, data }) => `${type} ${Object.values(data)}`)
      : [];
  };
  assert.equal(eventsOf(machine('draft'), { kind: 'start' }), ['state_changed live', 'item_changed a']);
  assert.equal(eventsOf(machine('live'), control('lock')), ['lock_changed true']);
  assert.equal(eventsOf(machine('live'), control('unlock')), [], 'it was not locked');
  assert.equal(eventsOf(machine('live'), control('goto', { itemRef: 'b' })), [], 'it was shown already');
  assert.equal(eventsOf(machine('live'), control('end')), ['state_changed ended']);
  assert.equal(eventsOf(machine('live'), playlist(['a', 'c'])), ['item_changed c']);
});

test('the items of a lesson are in the order of its segments, each once, unused ones last', () => {
  const items = ['d', 'a', 'b', 'c'].map((itemRef) => ({ itemRef }));
  const ordered = inLessonOrder([{ itemRefs: ['b', 'c'] }, { itemRefs: [] }, { itemRefs: ['c', 'a'] }], items);
  assert.equal(
    ordered.map(({ itemRef }) => itemRef),
    ['b', 'c', 'a', 'd'],
  );
});

test.run();
