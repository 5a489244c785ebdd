// The nearest change of a sub-skill in answers of the child, searched independently, answer by answer, with the engine
// of the golden cases.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvaluationInput } from '#assessment/measurement/index.ts';
import { compilePipeline, evaluateStudent, type Pipeline } from '#assessment/skill-status/engine/evaluate.ts';
import { traceEvaluation } from '#assessment/skill-status/engine/traced.ts';
import { nearestByAnswers } from '#assessment/skill-status/explain/nearest-answers.ts';
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

function traceOf(
  { grade, asOf, contextReviewActive, sessions, responses }: EvaluationInput,
  rules: Pipeline,
): RunTrace {
  const input = { grade, asOf, contextReviewActive, sessions, responses };
  const run = { grade, asOf, contextReview: contextReviewActive, input: { sessions, responses } };
  return { run, evaluation: evaluateStudent(input, rules), pipeline: rules } as unknown as RunTrace;
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

test('a rate of 0.1667 over a limit of 0.15: one answer would do', () => {
  const documents = bundle.documents.map((document) =>
    ['bnd', 'dth'].includes(document.meta.family)
      ? (changedConstants(document as never, { 'DTH-DEF-01': 0.15 }) as unknown as RuleDocument)
      : document,
  );
  const rules = compilePipeline(pinBundle(documents));
  const found = nearestByAnswers(traceOf(oneWrong('LIS_LITERAL', 6), rules), 'LIS_LITERAL');
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

test('property: the named change gives that status, and no smaller one gives another status', () => {
  let named = 0;
  for (const { input } of cases) {
    const trace = traceOf(input, pipeline);
    for (const { subSkill, outcome } of trace.evaluation.subSkills) {
      if (outcome === 'not_assessed') continue;
      const { code } = subSkill;
      const found = nearestByAnswers(trace, code);
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

test.run();
