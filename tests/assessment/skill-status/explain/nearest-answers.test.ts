// The nearest change of a sub-skill in answers of the child, searched independently, answer by answer, with the engine
// of the golden cases.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvaluationInput } from '#assessment/measurement/index.ts';
import { compilePipeline, evaluateStudent, type Pipeline } from '#assessment/skill-status/engine/evaluate.ts';
import { traceEvaluation } from '#assessment/skill-status/engine/traced.ts';
import { searchAnswers } from '#assessment/skill-status/explain/nearest-answers.ts';
import type { RunTrace } from '#assessment/skill-status/explain/run-trace.ts';
import { decisionOf, pinBundle, type RuleDocument } from '#rules/rulesets/index.ts';
import { changedConstants } from '../../../backoffice/workbench/backoffice.ts';
import { bundle, pipeline } from '../engine/rules.ts';

interface Golden {
  readonly input: EvaluationInput & { readonly caseId: string };
}
const { cases } = JSON.parse(fs.readFileSync('tests/golden/sse-golden-cases.json', 'utf8')) as {
  readonly cases: readonly Golden[];
};

/** Every fact is about the child. */
const sentences = { isAboutChild: () => true };

function traceOf(
  { grade, asOf, contextReviewActive, sessions, responses }: EvaluationInput,
  rules: Pipeline,
): RunTrace {
  const input = { grade, asOf, contextReviewActive, sessions, responses };
  const run = { grade, asOf, contextReview: contextReviewActive, input: { sessions, responses } };
  return { run, evaluation: evaluateStudent(input, rules), pipeline: rules, sentences } as unknown as RunTrace;
}

const outcomeOf = ({ subSkills }: ReturnType<typeof evaluateStudent>, code: string) => {
  const found = subSkills.find(({ subSkill }) => subSkill.code === code);
  return found?.outcome === 'decided' ? found.status : found?.outcome;
};

/** One of this many answers is wrong, without a pattern. */
function oneWrong(code: string, count: number): EvaluationInput {
  const first = cases.find(({ input }) => input.responses.length > 0)?.input;
  const [response] = first?.responses ?? [];
  const [session] = first?.sessions ?? [];
  if (!first || !response || !session) throw new Error('no golden case has an answer');
  const facts = { ...response, sessionId: session.sessionId, subSkillCode: code, microPattern: null } as const;
  const plain = { analysable: true, answered: true, attempt: 'first', support: 'none', speed: 'normal' } as const;
  return {
    ...{ grade: 2, asOf: first.asOf, contextReviewActive: false },
    sessions: [{ ...session, analysable: true }],
    responses: Array.from({ length: count }, (_, at) => ({
      ...{ ...facts, ...plain, itemId: `item-${at}`, correct: at > 0, errorClass: 'none', behaviourMark: false },
    })),
  };
}

test('a rate of 0.1667 over a limit of 0.15: one answer would do', async () => {
  const documents = bundle.documents.map((document) =>
    ['bnd', 'dth'].includes(document.meta.family)
      ? (changedConstants(document as never, { 'DTH-DEF-01': 0.15 }) as unknown as RuleDocument)
      : document,
  );
  const rules = compilePipeline(pinBundle(documents));
  const { nearest: found } = await searchAnswers(traceOf(oneWrong('LIS_LITERAL', 6), rules), 'LIS_LITERAL');
  assert.equal(found?.changes, [{ fact: 'correct', from: false, to: true }]);
  assert.is(found?.outcome, 'adequate');
  assert.match(
    found?.text ?? '',
    /^With one answer right instead of wrong \(.*\/item-0\), SSR-\d\d would say adequate/,
  );
});

test('the rule that hits names its constant: DTH-DEF-01 = 0.34 of LIS_LITERAL with a rate of 0.3333', () => {
  const documents = bundle.documents.map((document) =>
    ['bnd', 'dth'].includes(document.meta.family)
      ? (changedConstants(document as never, { 'DTH-DEF-01': 0.34 }) as unknown as RuleDocument)
      : document,
  );
  const traced = traceEvaluation(oneWrong('LIS_LITERAL', 3), pinBundle(documents));
  const asked = (traced.ofSubSkill.get('LIS_LITERAL') ?? []).find(({ table }) => table.name === 'bnd/bnd');
  assert.is(asked?.facts.rawRate, 0.3333);
  if (!asked) return;
  const { constants, trace } = decisionOf(asked, 'LIS_LITERAL');
  assert.is(constants['DTH-DEF-01']?.value, 0.34);
  assert.equal(trace[0]?.held?.[0]?.actual, 0.3333);
});

test('property: the named change gives that status, and no smaller one gives another status', async () => {
  let named = 0;
  for (const { input } of cases) {
    const trace = traceOf(input, pipeline);
    for (const { subSkill, outcome } of trace.evaluation.subSkills) {
      if (outcome === 'not_assessed') continue;
      const { code } = subSkill;
      const { nearest: found } = await searchAnswers(trace, code);
      const single = singles(input, code).map((changed) => outcomeOf(evaluateStudent(changed, pipeline), code));
      const before = outcomeOf(trace.evaluation, code);
      const another = single.filter((after) => after !== before);
      const isOfAnswers = found?.changes.every(({ fact }) => fact === 'correct');
      const why = `${input.caseId} ${code} ${found?.text}`;
      if (another.length > 0)
        assert.ok(isOfAnswers && found?.changes.length === 1 && another.includes(found.outcome as never), why);
      else assert.ok(!isOfAnswers || (found?.changes.length ?? 0) > 1, why);
      if (!found || !isOfAnswers) continue;
      named += 1;
      const refs = new Set([...found.text.matchAll(/[(,] ?([^\s(),]+\/[^\s(),]+)/g)].map(([, ref]) => ref));
      assert.is(refs.size, found.changes.length, why);
      const turned = input.responses.map((one) =>
        one.subSkillCode === code && refs.has(`${one.sessionId}/${one.itemId}`) && one.attempt === 'first'
          ? { ...one, correct: !one.correct, errorClass: 'none' as const, microPattern: null }
          : one,
      );
      assert.is(outcomeOf(evaluateStudent({ ...input, responses: turned }, pipeline), code), found.outcome, why);
    }
  }
  assert.ok(named > 10, `${named}`);
});

/** Yields inputs with one scored answer inverted. */
const singles = (input: EvaluationInput, code: string): EvaluationInput[] =>
  input.responses.flatMap((response, index) => {
    if (response.subSkillCode !== code || !response.answered || response.attempt !== 'first') return [];
    const other = { ...response, correct: !response.correct, errorClass: 'none' as const, microPattern: null };
    return [{ ...input, responses: input.responses.map((one, at) => (at === index ? other : one)) }];
  });

/** Worst to best, by the contract. */
const scale = [
  'broad_weakness_related',
  'weak_gateway',
  'weak_domain_related',
  'weak_isolated',
  'monitor_gateway',
  'monitor',
  'adequate',
];

interface Flip {
  readonly answers: number;
  readonly responseRefs: readonly string[];
  readonly status: string;
}

const refOf = ({ sessionId, itemId }: EvaluationInput['responses'][number]) => `${sessionId}/${itemId}`;

/** The other way about; a wrong answer is then without a pattern. */
const inverted = (input: EvaluationInput, at: readonly number[]): EvaluationInput => ({
  ...input,
  responses: input.responses.map((one, index) =>
    at.includes(index) ? { ...one, correct: !one.correct, errorClass: 'none', microPattern: null } : one,
  ),
});

/** Returns the fewest answers in each direction, of all choices of up to three, without leaving out any. */
function bruteForce(input: EvaluationInput, code: string, before: string): { better?: number; worse?: number } {
  const own = input.responses.flatMap((one, index) => (one.subSkillCode === code ? [index] : []));
  const found: { better?: number; worse?: number } = {};
  const ask = (at: readonly number[]) => {
    const after = scale.indexOf(outcomeOf(evaluateStudent(inverted(input, at), pipeline), code) ?? '');
    if (after < 0 || after === scale.indexOf(before)) return;
    const direction = after > scale.indexOf(before) ? 'better' : 'worse';
    found[direction] = Math.min(found[direction] ?? 3, at.length);
  };
  for (const [first, one] of own.entries()) {
    ask([one]);
    for (const [second, other] of own.slice(first + 1).entries()) {
      ask([one, other]);
      for (const last of own.slice(first + second + 2)) ask([one, other, last]);
    }
  }
  return found;
}

/** Made from the golden cases: all answers of other sub-skills as they are, some of one sub-skill the other way about. */
const inputs: readonly EvaluationInput[] = cases.flatMap(({ input }) => [
  input,
  { ...input, responses: input.responses.map((one, at) => (at % 5 === 0 ? { ...one, correct: !one.correct } : one)) },
]);

test('answerFlip: of all choices of up to three answers it has the fewest in each direction, and they lead there', async () => {
  const seen = { better: 0, worse: 0, several: 0, none: 0 };
  for (const input of inputs) {
    const trace = traceOf(input, pipeline);
    for (const { subSkill, outcome } of trace.evaluation.subSkills) {
      const { code } = subSkill;
      const count = input.responses.filter(({ subSkillCode }) => subSkillCode === code).length;
      const before = outcomeOf(trace.evaluation, code) ?? '';
      if (outcome === 'not_assessed' || count > 12) continue;
      const { answerFlip } = await searchAnswers(trace, code);
      const wanted = scale.includes(before) ? bruteForce(input, code, before) : {};
      for (const direction of ['better', 'worse'] as const) {
        const flip: Flip | null = answerFlip[direction];
        const why = `${code} ${before} ${direction} ${JSON.stringify(flip)}`;
        assert.is(flip?.answers, wanted[direction], why);
        if (!flip) {
          seen.none += 1;
          continue;
        }
        seen[direction] += 1;
        if (flip.answers > 1) seen.several += 1;
        assert.is(new Set(flip.responseRefs).size, flip.answers, why);
        const at = input.responses.flatMap((one, index) =>
          one.subSkillCode === code && flip.responseRefs.includes(refOf(one)) ? [index] : [],
        );
        assert.is(outcomeOf(evaluateStudent(inverted(input, at), pipeline), code), flip.status, why);
        const step = scale.indexOf(flip.status) - scale.indexOf(before);
        assert.ok(direction === 'better' ? step > 0 : step < 0, why);
      }
    }
  }
  assert.ok(Math.min(seen.better, seen.worse, seen.several, seen.none) > 5, JSON.stringify(seen));
});

/** The pipeline with a count of the students that it evaluates. */
function countedPipeline() {
  const evaluated = { count: 0 };
  const rules: Pipeline = {
    ...pipeline,
    comprehensionOf: (domains) => {
      evaluated.count += 1;
      return pipeline.comprehensionOf(domains);
    },
  };
  return { evaluated, rules };
}

/** All right and all different: each in a session of its own, with support, slow or marked by turns. */
function allDifferent(code: string, count: number): EvaluationInput {
  const input = oneWrong(code, count);
  const [session] = input.sessions;
  if (!session) throw new Error('no session');
  return {
    ...input,
    sessions: input.responses.map((_, at) => ({ ...session, sessionId: `session-${at}` })),
    responses: input.responses.map((one, at) => ({ ...one, sessionId: `session-${at}`, correct: true })),
  };
}

test('answerFlip evaluates at most 2,000 times, and others have their turn meanwhile', async () => {
  const { evaluated, rules } = countedPipeline();
  const trace = traceOf(allDifferent('LIS_LITERAL', 60), rules);
  evaluated.count = 0;
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 0);
  const { answerFlip } = await searchAnswers(trace, 'LIS_LITERAL');
  clearInterval(other);
  assert.is(answerFlip.better, null);
  assert.is(evaluated.count, 2_000);
  assert.ok(turns > 10, String(turns));
});

test('answerFlip asks about answers with equal facts once', async () => {
  const { evaluated, rules } = countedPipeline();
  const trace = traceOf(oneWrong('LIS_LITERAL', 40), rules);
  evaluated.count = 0;
  await searchAnswers(trace, 'LIS_LITERAL');
  // One wrong and 39 right answers: 2 choices of one, 2 of two, 2 of three, and one more right item.
  assert.is(evaluated.count, 7);
});

test('answerFlip is null for a status without an order and without a decision', async () => {
  const wrong = oneWrong('LK_SOUND', 6);
  const responses = wrong.responses.map((one, at) => ({ ...one, correct: at > 3 }));
  const reviewed = traceOf({ ...wrong, responses, contextReviewActive: true }, pipeline);
  assert.is(outcomeOf(reviewed.evaluation, 'LK_SOUND'), 'contextual_review');
  const found = await searchAnswers(reviewed, 'LK_SOUND');
  assert.equal(found.answerFlip, { better: null, worse: null });
  assert.ok(found.nearest, 'another result is still named');
  const few = traceOf({ ...wrong, responses: responses.slice(0, 2) }, pipeline);
  assert.is(outcomeOf(few.evaluation, 'LK_SOUND'), 'do_not_decide_yet');
  assert.equal((await searchAnswers(few, 'LK_SOUND')).answerFlip, { better: null, worse: null });
});

test.run();
