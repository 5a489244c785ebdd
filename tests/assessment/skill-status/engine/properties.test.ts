// Properties of every student: order has no meaning, unrelated skills have no effect, marks never escalate.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  EvaluationInput,
  EvidenceResponse,
  EvidenceSession,
} from '#assessment/measurement/evidence/engine/evidence.ts';
import { evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { countCodes } from '#assessment/skill-status/engine/evidence/gather.ts';
import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { newestUnitRef } from '#assessment/skill-status/engine/skills/confirmation.ts';
import { ratio4, round4 } from '#core/platform/pure/round.ts';
import { pipeline } from './rules.ts';
import { right, statusOf, wrong } from './students.ts';

const codes = pipeline.catalogue.subSkills.map(({ code }) => code);
const sessionIds = ['a', 'b', 'c'] as const;

const session = (sessionId: string): fc.Arbitrary<EvidenceSession> =>
  fc.record({
    sessionId: fc.constant(sessionId),
    source: fc.constantFrom('diagnostic', 'practice', 'orf'),
    endedAt: fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, '0')}T09:00:00.000Z`),
    analysable: fc.boolean().map((finished) => finished || sessionId !== 'c'),
  });

const response = (code: fc.Arbitrary<string>): fc.Arbitrary<EvidenceResponse> =>
  fc
    .record({
      subSkillCode: code,
      item: fc.integer({ min: 1, max: 12 }),
      sessionId: fc.constantFrom(...sessionIds),
      facts: fc.constantFrom(
        right,
        right,
        wrong,
        wrong,
        { ...right, support: 'auto_support' as const },
        { ...right, speed: 'slow' as const },
        { ...wrong, errorClass: 'target' as const, microPattern: 'm1' },
        { ...wrong, errorClass: 'accuracy_mark' as const, microPattern: 'm2' },
        { ...wrong, errorClass: 'prerequisite' as const },
        { ...wrong, behaviourMark: true },
        { ...wrong, answered: false },
      ),
    })
    .map(({ subSkillCode, item, sessionId, facts }) => ({ ...facts, subSkillCode, sessionId, itemId: `i${item}` }));

const inputs = (code: fc.Arbitrary<string>): fc.Arbitrary<EvaluationInput> =>
  fc.record({
    grade: fc.integer({ min: 1, max: 4 }),
    asOf: fc.constant('2026-02-01T08:00:00.000Z'),
    contextReviewActive: fc.boolean(),
    sessions: fc.tuple(...sessionIds.map(session)),
    responses: fc.array(response(code), { maxLength: 60 }),
  });

const fewCodes = fc.constantFrom(
  'LK_SOUND',
  'LK_FORM',
  'DEC_WORD',
  'DEC_PSEUDO',
  'ACC_MADD',
  'RC_LITERAL',
  'LIS_LITERAL',
);
const output = (input: EvaluationInput) => {
  const { finalStatusCodes, ...rest } = toGoldenOutput('x', evaluateStudent(input, pipeline));
  return rest;
};

test('the order of sessions and responses changes nothing', () => {
  const shuffled = inputs(fewCodes).chain((input) =>
    fc.record({
      input: fc.constant(input),
      responses: fc.shuffledSubarray([...input.responses], { minLength: input.responses.length }),
      sessions: fc.shuffledSubarray([...input.sessions], { minLength: input.sessions.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ input, responses, sessions }) => {
      const other = { ...input, responses, sessions };
      assert.equal(output(other), output(input));
      assert.equal(references(other), references(input));
    }),
    { seed: 40, numRuns: 300 },
  );
});

test('the newest unit is the greatest by end of session, session and item', () => {
  fc.assert(
    fc.property(inputs(fc.constant('LK_SOUND')), (input) => {
      const { coded } = evaluateStudent(input, pipeline);
      const [newest = null] = coded
        .filter((one) => one.scored)
        .map(({ session: { endedAtMs, sessionId }, response: { itemId } }) => ({ endedAtMs, sessionId, itemId }))
        .sort((l, r) => r.endedAtMs - l.endedAtMs || order(r.sessionId, l.sessionId) || order(r.itemId, l.itemId))
        .map(({ sessionId, itemId }) => `${sessionId}/${itemId}`);
      for (const [, ref] of references(input)) assert.is(ref, newest);
    }),
    { seed: 40, numRuns: 200 },
  );
});

test('a strong sub-skill of another domain changes no other sub-skill and no other domain', () => {
  const stranger = ['i1', 'i2', 'i3', 'i4'].map((itemId) => ({
    ...right,
    sessionId: 'a',
    itemId,
    subSkillCode: 'VOC_MEANING',
  }));
  fc.assert(
    fc.property(inputs(fewCodes), (input) => {
      const before = output(input);
      const after = output({ ...input, responses: [...input.responses, ...stranger] });
      const { VOC_MEANING: added, ...subSkills } = after.subSkills;
      assert.ok(added);
      assert.equal(subSkills, before.subSkills);
      for (const code of ['PA', 'LK', 'DEC', 'ACC', 'FLU', 'LIS', 'RC', 'SPL']) {
        assert.equal(after.domains[code], before.domains[code]);
      }
    }),
    { seed: 40, numRuns: 200 },
  );
});

test('SSR-06: an accuracy indicator is never gateway, broad or domain weak, and has no effect on others', () => {
  const indicators = pipeline.catalogue.subSkills.filter((one) => one.accuracyIndicator).map(({ code }) => code);
  assert.is(indicators.length, 8);
  const anywhere = inputs(fc.oneof(fewCodes, fc.constantFrom(...indicators)));
  fc.assert(
    fc.property(anywhere, (input) => {
      const evaluation = evaluateStudent(input, pipeline);
      for (const one of evaluation.subSkills.filter((found) => found.subSkill.accuracyIndicator)) {
        assert.not.match(statusOf(one) ?? '', /gateway|broad|domain|cautionary/);
      }
      const core = { ...input, responses: input.responses.filter((one) => !indicators.includes(one.subSkillCode)) };
      const without = new Map(
        evaluateStudent(core, pipeline).subSkills.map((one) => [one.subSkill.code, statusOf(one)]),
      );
      for (const one of evaluation.subSkills.filter((found) => !found.subSkill.accuracyIndicator)) {
        assert.is(statusOf(one), without.get(one.subSkill.code));
      }
    }),
    { seed: 40, numRuns: 300 },
  );
});

test('a behaviour mark changes no rate, band, count or code', () => {
  fc.assert(
    fc.property(inputs(fewCodes), (input) => {
      const unmarked = { ...input, responses: input.responses.map((one) => ({ ...one, behaviourMark: false })) };
      const figures = (one: EvaluationInput) =>
        Object.values(output(one).subSkills).map(({ facts: { behaviourCaution, ...rest } }) => rest);
      assert.equal(figures(unmarked), figures(input));
    }),
    { seed: 40, numRuns: 200 },
  );
});

test('any evidence over the whole catalogue is evaluated', () => {
  fc.assert(
    fc.property(inputs(fc.constantFrom(...codes)), (input) => {
      const { coded, tiles, domains } = evaluateStudent(input, pipeline);
      assert.is(coded.length, input.responses.length);
      assert.is(tiles.length, 6);
      assert.is(domains.length, 9);
    }),
    { seed: 40, numRuns: 300 },
  );
});

test('code counts add up to the responses', () => {
  fc.assert(
    fc.property(inputs(fewCodes), (input) => {
      const counts = Object.values(countCodes(evaluateStudent(input, pipeline).coded));
      assert.is(
        counts.reduce((sum, count) => sum + count, 0),
        input.responses.length,
      );
    }),
    { seed: 40, numRuns: 50 },
  );
});

test('ratio4 rounds as round4 does, near ties too', () => {
  const near = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(-1e-12, -1e-7, 0, 1e-7, 1e-12));
  fc.assert(
    fc.property(near, ([step, off]) => {
      const value = Math.max(0, (step + 0.5) / 10_000 + off);
      assert.is(ratio4(value, 1), round4(value));
    }),
    { seed: 40, numRuns: 2000 },
  );
  for (let whole = 1; whole <= 64; whole += 0.5) {
    for (let part = 0; part <= whole; part += 0.5) assert.is(ratio4(part, whole), round4(part / whole));
  }
});

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const references = (input: EvaluationInput) =>
  evaluateStudent(input, pipeline).subSkills.flatMap((one) =>
    one.outcome === 'not_assessed' ? [] : [[one.subSkill.code, newestUnitRef(one.confirmation.evidence)] as const],
  );

test.run();
