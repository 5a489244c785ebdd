// Properties of every session, for all answers and durations.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { estimatesOf } from '#assessment/measurement/diagnostics/engine/finish.ts';
import { nextStep } from '#assessment/measurement/diagnostics/engine/next-item.ts';
import { activeMsUsed } from '#assessment/measurement/diagnostics/engine/state.ts';
import { bankOf } from '../items.ts';
import { play, type Reply, servedCounts, sessionOf, values } from '../sessions.ts';

const codes = ['LK_SOUND', 'PA_BLEND', 'DEC_SYLLABLE', 'DEC_WORD', 'LIS_LITERAL', 'VOC_MEANING'];
const reply = fc.constantFrom<Reply>('right', 'wrong', 'skip');
const scenario = fc.record({
  replies: fc.array(reply, { minLength: 40, maxLength: 40 }),
  latencyMs: fc.integer({ min: 0, max: 60_000 }),
  itemCounts: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 6, maxLength: 6 }),
  seenShare: fc.integer({ min: 0, max: 3 }),
});
type Scenario = { replies: Reply[]; latencyMs: number; itemCounts: number[]; seenShare: number };

function run({ replies, latencyMs, itemCounts, seenShare }: Scenario) {
  const bank = bankOf(Object.fromEntries(codes.map((code, index) => [code, itemCounts[index] ?? 0])));
  const seen = bank.items.filter((_, index) => index % 4 < seenShare).map(({ id }) => id);
  const rules = { values, bank };
  return { rules, ...play(sessionOf(codes, { seenItemIds: new Set(seen) }), rules, replies, latencyMs) };
}

const holds = (what: string, check: (result: ReturnType<typeof run>, scenario: Scenario) => void) =>
  test(`every session: ${what}`, () => {
    fc.assert(
      fc.property(scenario, (given) => check(run(given), given)),
      { numRuns: 150, seed: 30 },
    );
  });

holds('never more than 6 items of a sub-skill, never one twice, always of the form and in its order', ({ state }) => {
  for (const count of Object.values(servedCounts(state))) assert.ok(count <= 6);
  const ids = state.served.map(({ itemId }) => itemId);
  assert.is(new Set(ids).size, ids.length);
  const indexes = state.served.map(({ subSkillCode }) => codes.indexOf(subSkillCode));
  assert.equal([...indexes].sort(), indexes);
});

holds('no sub-skill is opened that has fewer than 4 items', ({ state }, { itemCounts }) => {
  for (const code of Object.keys(servedCounts(state))) assert.ok((itemCounts[codes.indexOf(code)] ?? 0) >= 4);
});

holds('no sub-skill is opened with less than 80 s of active time left', ({ state }) => {
  for (const code of Object.keys(servedCounts(state))) {
    const firstSeq = state.served.find(({ subSkillCode }) => subSkillCode === code)?.seq ?? 0;
    const before = state.responses.filter(({ seq }) => seq < firstSeq);
    assert.ok(activeMsUsed(before) <= 900_000 - 80_000);
  }
});

holds('a sub-skill left before 4 items was left for lack of time only', ({ state, rules }) => {
  for (const [code, count] of Object.entries(servedCounts(state))) {
    if (count >= 4) continue;
    assert.is(code, state.served.at(-1)?.subSkillCode);
    assert.is(nextStep(state, rules).outcome, 'time_cap_reached');
  }
});

holds('it ends within 36 items', ({ outcomes }) => {
  assert.ok(['session_complete', 'time_cap_reached'].includes(outcomes.at(-1)?.outcome ?? ''));
});

holds('the same answers give the same path, and the same estimates', ({ state, rules }, given) => {
  const again = run(given).state;
  assert.equal(again, state);
  assert.equal(estimatesOf(again, rules.bank, values), estimatesOf(state, rules.bank, values));
});

test.run();
