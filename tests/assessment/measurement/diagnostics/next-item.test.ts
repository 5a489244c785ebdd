// The next item of a session: stop rules, rules on opening sub-skills, the time cap.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBank } from '#assessment/content/items/engine/bank.ts';
import { nextStep, stopReasonOf } from '#assessment/measurement/diagnostics/engine/next-item.ts';
import { bankOf, itemOf } from '../items.ts';
import { afterReply, afterStep, play, type Reply, servedCounts, sessionOf, times, values } from '../sessions.ts';

const two = ['DEC_WORD', 'LIS_LITERAL'];
const rules = { values, bank: bankOf({ DEC_WORD: 12, LIS_LITERAL: 12 }) };
const outcomeOf = (state: Parameters<typeof nextStep>[0]) => nextStep(state, rules).outcome;

test('the first item is the nearest to theta 0, and ties go to the lower id', () => {
  const step = nextStep(sessionOf(two), rules);
  assert.is(step.outcome === 'item_served' && step.item.id, 'DEC_WORD-G12-06');
});

test('until it is answered, the current item is returned', () => {
  const state = afterStep(sessionOf(two), nextStep(sessionOf(two), rules));
  const again = nextStep(state, rules);
  assert.is(again.outcome === 'waiting' && again.served.servedItemId, 'served-1');
});

test('a right answer is followed by a harder item, a wrong one by an easier', () => {
  const first = afterStep(sessionOf(two), nextStep(sessionOf(two), rules));
  const harder = nextStep(afterReply(first, 'right'), rules);
  const easier = nextStep(afterReply(first, 'wrong'), rules);
  assert.ok(harder.outcome === 'item_served' && harder.item.difficulty > 0);
  assert.ok(easier.outcome === 'item_served' && easier.item.difficulty < 0);
});

const stops: Readonly<Record<string, { replies: Reply[]; served: number; reason: string }>> = {
  'four right stop as uniform': { replies: times(9, 'right'), served: 4, reason: 'uniform' },
  'four wrong stop as uniform': { replies: times(9, 'wrong'), served: 4, reason: 'uniform' },
  'mixed answers go to six': { replies: ['right', 'wrong', ...times(9, 'right')], served: 6, reason: 'max_items' },
  'the fourth answer decides': {
    replies: [...times(3, 'right'), ...times(9, 'wrong')],
    served: 6,
    reason: 'max_items',
  },
  'a skip is no answer, so four right need five items': {
    replies: ['skip', ...times(9, 'right')],
    served: 5,
    reason: 'uniform',
  },
  'two skips and four right end at six, uniform': {
    replies: ['skip', 'skip', ...times(9, 'right')],
    served: 6,
    reason: 'uniform',
  },
  'three skips leave three answers at six': {
    replies: [...times(3, 'skip'), ...times(9, 'right')],
    served: 6,
    reason: 'max_items',
  },
  'six skips end it': { replies: times(9, 'skip'), served: 6, reason: 'max_items' },
};

for (const [what, { replies, served, reason }] of Object.entries(stops)) {
  test(`stop rule: ${what}`, () => {
    const { state } = play(sessionOf(['DEC_WORD']), rules, replies);
    assert.equal(servedCounts(state), { DEC_WORD: served });
    assert.is(stopReasonOf(state, 'DEC_WORD', values), reason);
    assert.is(outcomeOf(state), 'session_complete');
  });
}

test('sub-skills come in form order, each finished before the next', () => {
  const { state } = play(sessionOf(two), rules, times(8, 'right'));
  assert.equal(
    state.served.map(({ subSkillCode }) => subSkillCode),
    [...Array(4).fill('DEC_WORD'), ...Array(4).fill('LIS_LITERAL')],
  );
});

test('the estimate of one sub-skill does not affect the next', () => {
  const { state } = play(sessionOf(two), rules, times(4, 'right'));
  const step = nextStep(state, rules);
  assert.is(step.outcome === 'item_served' && step.item.id, 'LIS_LITERAL-G12-06');
});

test('DTH-MIN-01: a sub-skill with three eligible items is not opened, the next call goes on', () => {
  const few = { values, bank: bankOf({ DEC_WORD: 3, LIS_LITERAL: 4 }) };
  const first = nextStep(sessionOf(two), few);
  assert.equal(first, { outcome: 'no_eligible_item', subSkillCode: 'DEC_WORD' });
  const second = nextStep(afterStep(sessionOf(two), first), few);
  assert.is(second.outcome === 'item_served' && second.subSkillCode, 'LIS_LITERAL');
});

test('DTH-MIN-01: withdrawn items are not eligible', () => {
  const withdrawn = { values, bank: bankOf({ DEC_WORD: 12 }, { status: 'withdrawn' }) };
  assert.is(nextStep(sessionOf(['DEC_WORD']), withdrawn).outcome, 'no_eligible_item');
});

test('an opened sub-skill that runs out of items is closed with its stop reason', () => {
  const few = { values, bank: bankOf({ DEC_WORD: 4, LIS_LITERAL: 12 }) };
  const { state } = play(sessionOf(two), few, ['right', 'wrong', 'right', 'wrong']);
  const step = nextStep(state, few);
  assert.equal(step, { outcome: 'no_eligible_item', subSkillCode: 'DEC_WORD' });
  const closed = afterStep(state, step);
  assert.is(stopReasonOf(closed, 'DEC_WORD', values), 'no_eligible_item');
  assert.is(nextStep(closed, few).outcome, 'item_served');
});

/** Four right answers of DEC_WORD that leave `leftMs` of active time. */
const openedWith = (leftMs: number) =>
  play(sessionOf(two), rules, times(4, 'right'), (values.activeMsCap - leftMs) / 4).state;

test('a sub-skill is opened when exactly 4 × 20 s are left, and not with a millisecond less', () => {
  assert.is(outcomeOf(openedWith(80_000)), 'item_served');
  const short = openedWith(80_000);
  const last = short.responses.at(-1);
  assert.ok(last);
  const responses = [...short.responses.slice(0, -1), { ...last, latencyMs: last.latencyMs + 1 }];
  assert.is(outcomeOf({ ...short, responses }), 'time_cap_reached');
});

test('the time to open is that of the slowest eligible item: 4 × 40 s for passages', () => {
  const passages = { values, bank: bankOf({ DEC_WORD: 12, LIS_LITERAL: 12 }, { expectedSeconds: 40 }) };
  assert.is(nextStep(openedWith(160_000), passages).outcome, 'item_served');
  assert.is(nextStep(openedWith(159_996), passages).outcome, 'time_cap_reached');
});

test('one slow item among quick ones sets the time to open', () => {
  const quick = bankOf({ LIS_LITERAL: 11 }, { expectedSeconds: 6 });
  const slow = itemOf({ id: 'LIS_LITERAL-G12-12', subSkillCode: 'LIS_LITERAL', expectedSeconds: 40 });
  const bank = itemBank({ version: 1, items: [...quick.items, slow] });
  assert.is(nextStep(openedWith(159_996), { values, bank }).outcome, 'time_cap_reached');
});

test('an open sub-skill goes on below the time to open, and is cut at exactly 900000 ms', () => {
  const open = play(sessionOf(two), rules, ['right', 'wrong']).state;
  const spent = (usedMs: number) => ({
    ...open,
    responses: open.responses.map((response, index) => ({ ...response, latencyMs: index === 0 ? usedMs : 0 })),
  });
  assert.is(outcomeOf(spent(899_999)), 'item_served');
  assert.is(outcomeOf(spent(900_000)), 'time_cap_reached');
});

test('no later sub-skill is opened once one was refused for lack of time, though it would be quick', () => {
  const slow = bankOf({ LIS_LITERAL: 12 }, { expectedSeconds: 40 });
  const quick = bankOf({ FLU_WORD: 12 }, { expectedSeconds: 6 });
  const bank = itemBank({ version: 1, items: [...slow.items, ...quick.items] });
  const state = { ...openedWith(100_000), subSkills: ['DEC_WORD', 'LIS_LITERAL', 'FLU_WORD'] };
  assert.is(nextStep(state, { values, bank }).outcome, 'time_cap_reached');
  const withoutSlow = { ...state, subSkills: ['DEC_WORD', 'FLU_WORD'] };
  assert.is(nextStep(withoutSlow, { values, bank }).outcome, 'item_served');
});

test('an item that is not answered when the time ends may still be answered', () => {
  const open = play(sessionOf(two), rules, ['right']).state;
  const out = afterStep(open, nextStep(open, rules));
  const late = { ...out, responses: out.responses.map((response) => ({ ...response, latencyMs: 900_000 })) };
  assert.is(outcomeOf(late), 'waiting');
});

test('items seen before the start are selected last, with their tier', () => {
  const ids = rules.bank.cell('DEC_WORD', 'G12').map(({ id }) => id);
  const seen = sessionOf(['DEC_WORD'], { seenItemIds: new Set(ids.filter((id) => id !== 'DEC_WORD-G12-12')) });
  const step = nextStep(seen, rules);
  assert.is(step.outcome === 'item_served' && `${step.item.id} tier ${step.tier}`, 'DEC_WORD-G12-12 tier 3');
  const all = nextStep(sessionOf(['DEC_WORD'], { seenItemIds: new Set(ids) }), rules);
  assert.is(all.outcome === 'item_served' && all.tier, 4);
});

test.run();
