// Facts from raw answers: error class, detected pattern, speed, attempt, support, and units of an oral reading.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { EvidenceError, type ResponseFacts } from '#assessment/measurement/evidence/engine/evidence.ts';
import { errorClassOf, orfEvidence, sessionEvidence } from '#assessment/measurement/evidence/engine/facts.ts';
import { evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { pipeline } from '../../skill-status/engine/rules.ts';
import { input, right } from '../../skill-status/engine/students.ts';
import { choice, served, servedSession } from './served.ts';

// Sub-skill, pattern of the wrong choice, designed patterns → error class.
const classes = [
  ['DEC_WORD', 'phoneme_order', [], 'prerequisite', 'points to PA_BLEND, a direct prerequisite'],
  ['DEC_MULTI', 'syllable_drop', [], 'prerequisite', 'points to PA_SYLLABLE, far down the chain'],
  ['DEC_WORD', 'syllable_drop', ['syllable_drop'], 'prerequisite', 'a prerequisite comes before the designed pattern'],
  ['SPL_HAMZA', 'positional_form', ['hamza_seat'], 'prerequisite', 'an accuracy indicator has prerequisites too'],
  ['DEC_WORD', 'shadda_drop', [], 'accuracy_mark', 'points to a mark'],
  ['DEC_WORD', 'short_vowel_swap', ['short_vowel_swap'], 'accuracy_mark', 'a mark comes before the designed pattern'],
  ['ACC_MADD', 'shadda_drop', [], 'none', 'a mark of another indicator, not designed'],
  ['ACC_MADD', 'shadda_drop', ['shadda_drop'], 'target', 'the same, designed'],
  ['ACC_MADD', 'vowel_length', ['vowel_length'], 'target', 'its own mark'],
  ['LK_SHAPE', 'dot_confusion', ['dot_confusion'], 'target', 'its own pattern'],
  ['LK_SHAPE', 'dot_confusion', [], 'none', 'its own pattern, not designed'],
  ['LK_SOUND', 'dot_confusion', ['dot_confusion'], 'target', 'points elsewhere, but not to a prerequisite'],
  ['LK_SOUND', 'dot_confusion', [], 'none', 'points elsewhere, not designed'],
  ['LK_SOUND', null, ['dot_confusion'], 'none', 'a wrong choice without a pattern'],
] as const;
for (const [subSkillCode, microPattern, designedPatterns, errorClass, why] of classes) {
  test(`error class ${errorClass}: ${subSkillCode}, ${microPattern}: ${why}`, () => {
    const response = served({ subSkillCode, designedPatterns, choice: choice(1, false, microPattern) });
    assert.is(errorClassOf(response, pipeline.catalogue), errorClass);
  });
}

test('error class none: right, or not answered', () => {
  const designed = { subSkillCode: 'LK_SHAPE', designedPatterns: ['dot_confusion'] };
  const rightOne = served({ ...designed, choice: choice(0, true, 'dot_confusion') });
  assert.is(errorClassOf(rightOne, pipeline.catalogue), 'none');
  assert.is(errorClassOf(served({ ...designed, choice: null }), pipeline.catalogue), 'none');
});

const factsOf = (...responses: Parameters<typeof served>[0][]) =>
  sessionEvidence(servedSession(responses.map((changes) => served(changes))), pipeline).responses;

test('a plain right answer has the plain facts', () => {
  assert.equal(factsOf({}), [{ ...right, sessionId: 's1', itemId: 'LK_SOUND-G12-01', subSkillCode: 'LK_SOUND' }]);
});

test('microPattern: only a designed one, only of a wrong choice', () => {
  const wrong = choice(1, false, 'dot_confusion');
  const found = factsOf(
    { choice: wrong, designedPatterns: ['dot_confusion'] },
    { choice: wrong, designedPatterns: ['similar_shape'] },
    { choice: choice(0, true, 'dot_confusion'), designedPatterns: ['dot_confusion'] },
  );
  assert.equal(
    found.map((one) => one.microPattern),
    ['dot_confusion', null, null],
  );
});

test('speed: slow is more than three times the expected time', () => {
  const found = factsOf({ latencyMs: 45_000 }, { latencyMs: 45_001 });
  assert.equal(
    found.map((one) => one.speed),
    ['normal', 'slow'],
  );
});

test('attempt: repeat follows an answer to the same item, not a skip', () => {
  const found = factsOf({ choice: null }, {}, {}, { itemId: 'other' });
  assert.equal(
    found.map((one) => one.attempt),
    ['first', 'first', 'repeat', 'first'],
  );
});

test('answered, correct, support and analysable follow the row', () => {
  const [skipped, wrong, hinted, withdrawn] = factsOf(
    { choice: null },
    { itemId: 'b', choice: choice(1, false) },
    { itemId: 'c', hintServed: true },
    { itemId: 'd', withdrawn: true },
  );
  assert.equal([skipped?.answered, skipped?.correct], [false, false]);
  assert.equal([wrong?.answered, wrong?.correct], [true, false]);
  assert.equal([hinted?.support, wrong?.support], ['auto_support', 'none']);
  assert.equal([withdrawn?.analysable, wrong?.analysable], [false, true]);
});

test('a session is analysable when finished; practice always', () => {
  const analysable = (source: 'diagnostic' | 'practice', finished: boolean) =>
    sessionEvidence({ ...servedSession([served()]), source, finished }, pipeline).session.analysable;
  assert.equal(
    [analysable('diagnostic', true), analysable('diagnostic', false), analysable('practice', false)],
    [true, false, true],
  );
});

for (const [verdict, rightUnits] of [
  ['meets', 5],
  ['approaching', 4],
  ['below', 3],
  ['severe', 1],
] as const) {
  test(`oral reading ${verdict}: five units of text fluency, ${rightUnits} right`, () => {
    const { session, responses } = orfEvidence(
      { assessmentId: 'orf1', endedAt: '2026-01-21T09:00:00.000Z', verdict },
      pipeline,
    );
    assert.is(session.source, 'orf');
    assert.equal(
      responses.map((one) => [one.itemId, one.subSkillCode]),
      [1, 2, 3, 4, 5].map((unit) => [`orf1#${unit}`, 'FLU_TEXT']),
    );
    assert.is(responses.filter((one) => one.correct).length, rightUnits);
    const evidence = { ...input({ evidence: {} }), sessions: [session], responses };
    const codes = evaluateStudent(evidence, pipeline).coded.map(({ code }) => code);
    assert.is(codes.filter((code) => code === 'ERROR_UNSPECIFIC').length, 5 - rightUnits);
  });
}

test('oral reading not_assessed: no units', () => {
  const assessment = { assessmentId: 'orf1', endedAt: '2026-01-21T09:00:00.000Z', verdict: 'not_assessed' } as const;
  assert.equal(orfEvidence(assessment, pipeline).responses, []);
});

test('an invalid fact value is refused, also after valid ones', () => {
  const foreign = { ...right, attempt: 'third' } as unknown as ResponseFacts;
  assert.is(pipeline.coding(right, true).code, 'CORRECT_SECURE');
  assert.throws(() => pipeline.coding(foreign, true), /attempt/);
});

const base = input({ evidence: { LK_SOUND: 'd10 C' } });
const broken = {
  'an unknown session': { ...base, sessions: [] },
  'a session listed twice': { ...base, sessions: [...base.sessions, ...base.sessions] },
  'an unknown sub-skill': { ...base, responses: base.responses.map((one) => ({ ...one, subSkillCode: 'LK_NOTHING' })) },
  'a moment that is none': { ...base, sessions: base.sessions.map((one) => ({ ...one, endedAt: 'yesterday' })) },
};
for (const [what, evidence] of Object.entries(broken)) {
  test(`${what} is an EvidenceError`, () => {
    assert.throws(
      () => evaluateStudent(evidence, pipeline),
      (error: unknown) => error instanceof EvidenceError,
    );
  });
}

test.run();
