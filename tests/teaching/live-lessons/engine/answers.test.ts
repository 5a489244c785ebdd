// Which answers of a batch are accepted, and which refuse it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answerable, firstOutOfRange, newAnswersOf, refusalOf } from '#teaching/live-lessons/engine/answers.ts';
import { nextOwnItem, ownItemsOf } from '#teaching/live-lessons/engine/own-items.ts';

const nothing = { clientResponseIds: new Set<string>(), itemRefs: new Set<string>() };
const answer = (clientResponseId: string, itemRef: string, selectedOptionIndex = 0) => ({
  ...{ clientResponseId, itemRef, selectedOptionIndex },
});
const items = new Map(
  ['a', 'b', 'c'].map((itemRef) => [itemRef, { itemRef, options: ['x', 'y'], correctOptionIndex: 1 }]),
);
const open: Answerable = { currentItemRef: 'a', responsesLocked: false, ownItemRefs: [], items };
const refused = (inputs: readonly ReturnType<typeof answer>[], answerable = open) =>
  refusalOf(newAnswersOf(inputs, nothing), answerable);

test('a repeated id and a further answer to an item are duplicates, within the batch and of stored answers', () => {
  const inputs = [answer('1', 'a'), answer('1', 'b'), answer('2', 'a'), answer('3', 'c'), answer('9', 'b')];
  const known = { clientResponseIds: new Set(['9']), itemRefs: new Set(['c']) };
  assert.equal(
    newAnswersOf(inputs, known).map(({ at }) => at),
    [0],
  );
});

test('only the current item and own items are accepted; a lock applies to the current item only', () => {
  assert.is(refused([answer('1', 'a')]), undefined);
  assert.equal(refused([answer('1', 'a'), answer('2', 'b')]), { at: 1, issue: 'not_current' });
  const locked = { ...open, responsesLocked: true, ownItemRefs: ['c'] };
  assert.equal(refused([answer('1', 'a')], locked), { at: 0, issue: 'locked' });
  assert.is(refused([answer('1', 'c')], locked), undefined);
  assert.is(refused([answer('1', 'a')], { ...locked, ownItemRefs: ['a'] }), undefined, 'the current one as an own one');
  assert.equal(refused([answer('1', 'z')], { ...locked, ownItemRefs: ['z'] }), { at: 0, issue: 'not_current' });
});

test('an option that does not exist', () => {
  const fresh = newAnswersOf([answer('1', 'z', 9), answer('2', 'b', 1), answer('3', 'a', 2)], nothing);
  assert.is(firstOutOfRange(fresh, items), 2);
  assert.is(firstOutOfRange(fresh.slice(0, 2), items), undefined);
});

test('own items: the unanswered ones in the order of the playlist, or the named ones', () => {
  const playlist = ['a', 'b', 'c', 'd'];
  const answered = new Set(['b']);
  assert.equal(ownItemsOf({ playlist, answered, halted: false }), ['a', 'c', 'd']);
  assert.equal(ownItemsOf({ playlist, answered, named: ['d', 'b', 'a'], halted: false }), ['d', 'a']);
  assert.equal(ownItemsOf({ playlist, answered, named: ['d', 'b', 'a'], halted: true }), ['a', 'd']);
  assert.is(nextOwnItem(['b', 'a'], answered), 'a');
  assert.is(nextOwnItem(['b'], answered), null);
});

test.run();
