// A traced evaluation equals the untraced one and records every question to a table with the rule that answered.
import fs from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvaluationInput } from '#assessment/measurement/evidence/engine/evidence.ts';
import { compilePipeline, evaluateStudent, type StudentEvaluation } from '#assessment/skill-status/engine/evaluate.ts';
import { type TracedCall, type TracedEvaluation, traceEvaluation } from '#assessment/skill-status/engine/traced.ts';
import { pinBundle } from '#rules/rulesets/engine/bundle.ts';
import type { Observe } from '#rules/rulesets/engine/compile.ts';
import { collect, decide } from '#rules/rulesets/engine/decide.ts';
import { bundle, pipeline } from './rules.ts';
import { input, right, type Student, wrong } from './students.ts';

const golden: { readonly cases: readonly { readonly input: EvaluationInput & { readonly caseId: string } }[] } =
  JSON.parse(fs.readFileSync('tests/golden/sse-golden-cases.json', 'utf8'));

/** The rules of a layer, such as `SSR-03` of ssr, in the order of the questions. */
const asked = (calls: readonly TracedCall[] | undefined) =>
  (calls ?? []).map(({ table, hits }) => [table.name, hits.map(({ ruleId }) => ruleId).join('+')]);
const trace = (student: Student) => traceEvaluation(input(student), bundle);

/** Every rule in the evaluation, grouped like the trace. */
function assertTells(traced: TracedEvaluation, evaluation: StudentEvaluation): void {
  assert.equal(
    traced.ofResponse.map(asked),
    evaluation.coded.map(({ ruleId }) => [['adr/adr', ruleId]]),
  );
  const evaluated = evaluation.subSkills.flatMap((one) => (one.outcome === 'not_assessed' ? [] : [one]));
  assert.equal(
    [...traced.ofSubSkill.keys()],
    evaluated.map(({ subSkill }) => subSkill.code),
  );
  for (const { subSkill, confirmation, ssrRuleId } of evaluated) {
    const [bnd, ...rest] = asked(traced.ofSubSkill.get(subSkill.code)).filter(([name]) => name !== 'cis/cis');
    const [cis] = asked(traced.ofSubSkill.get(subSkill.code)).filter(([name]) => name === 'cis/cis');
    assert.is(cis?.[1] ?? 'CIS-01', confirmation.cisRuleId);
    const after = confirmation.facts.rawRate === null ? [bnd, ...rest] : rest;
    assert.equal(after, [
      ['pac/pac', confirmation.pac.pacRuleId],
      ['ssr/ssr', ssrRuleId],
    ]);
  }
  for (const one of evaluation.domains) {
    const [ddr, dsm] = asked(traced.ofDomain.get(one.domain.code));
    assert.equal(ddr, ['ddr/ddr', one.ruleId]);
    assert.equal(dsm, one.outcome === 'decided' ? ['dsm/dsm', one.tile.dsmRuleId] : undefined);
  }
  const { ruleId } = evaluation.comprehension;
  assert.equal(asked(traced.ofComprehension), ruleId === null ? [] : [['ddr-lc/ddr-lc', ruleId]]);
}

/** The recorded facts give the recorded rule. */
function assertFactsLeadThere(traced: TracedEvaluation): void {
  const calls = [...traced.ofResponse, ...traced.ofSubSkill.values(), ...traced.ofDomain.values()].flat();
  for (const { table, facts, hits } of [...calls, ...traced.ofComprehension]) {
    const repeated = table.isFirstHit ? [decide(table, facts)] : collect(table, facts);
    assert.equal(
      repeated.map(({ ruleId }) => ruleId),
      hits.map(({ ruleId }) => ruleId),
    );
  }
}

for (const one of golden.cases) {
  test(`${one.input.caseId}: the traced evaluation equals the untraced one, and names its rules`, () => {
    const plain = evaluateStudent(one.input, pipeline);
    const traced = traceEvaluation(one.input, bundle);
    assert.equal(traced.evaluation, plain);
    assertTells(traced, plain);
    assertFactsLeadThere(traced);
  });
}

test('any student: the traced evaluation equals the untraced one, in sequence', () => {
  const letter = fc.constantFrom(...'CCCLPRUUEXTSQAMNV');
  const session = fc.tuple(fc.constantFrom('d5', 'd12', 'd20', 'p14', 'o28'), fc.array(letter, { maxLength: 8 }));
  const sessions = fc.uniqueArray(session, { selector: ([id]) => id, minLength: 1, maxLength: 3 });
  const codes = ['LK_SOUND', 'LK_SHAPE', 'DEC_WORD', 'DEC_PSEUDO', 'ACC_MADD', 'RC_LITERAL', 'LIS_LITERAL', 'FLU_TEXT'];
  const student = fc.record({
    grade: fc.integer({ min: 1, max: 4 }),
    contextReviewActive: fc.boolean(),
    evidence: fc.dictionary(
      fc.constantFrom(...codes),
      sessions.map((list) => list.map(([id, letters]) => `${id} ${letters.join('')}`).join(' ')),
    ),
  });
  fc.assert(
    fc.property(student, (one) => {
      const plain = evaluateStudent(input(one), pipeline);
      const traced = trace(one);
      assert.equal(traced.evaluation, plain);
      assertTells(traced, plain);
      assertFactsLeadThere(traced);
    }),
    { seed: 41, numRuns: 300 },
  );
});

test('CIS-02 is asked when two sides conflict, BND with the settled conflict, then PAC and SSR', () => {
  const { ofSubSkill } = trace({ evidence: { LK_SOUND: 'd10 UUUU d12 CCCCCC' } });
  assert.equal(asked(ofSubSkill.get('LK_SOUND')), [
    ['cis/cis', 'CIS-02'],
    ['bnd/bnd', 'BND-03'],
    ['pac/pac', 'PAC-08'],
    ['ssr/ssr', 'SSR-04'],
  ]);
  const [cis, bnd] = ofSubSkill.get('LK_SOUND') ?? [];
  assert.equal(cis?.facts, { sides: 'two_sided', imbalance: 0.2, authority: false, daysApart: 2 });
  assert.equal(bnd?.facts, { rawRate: 0.4, okSideWins: true });
});

test('PAC-01: without a rate BND is not asked, without a second side CIS is not', () => {
  const { ofSubSkill } = trace({ evidence: { LK_SHAPE: 'd10 NNN' } });
  assert.equal(asked(ofSubSkill.get('LK_SHAPE')), [
    ['pac/pac', 'PAC-01'],
    ['ssr/ssr', 'SSR-01'],
  ]);
});

test('ESC-A: a domain that is Below asks both paths of escalation after DSM', () => {
  const { ofDomain, evaluation } = trace({ evidence: { LK_SOUND: 'd10 UUUUUUUU', LK_FORM: 'd10 CCCC' } });
  const names = asked(ofDomain.get('LK')).map(([name]) => name);
  assert.equal(names, ['ddr/ddr', 'dsm/dsm', 'esc/esc']);
  const lk = evaluation.domains.find(({ domain }) => domain.code === 'LK');
  const paths = ofDomain
    .get('LK')?.[2]
    ?.hits.map(({ params }) => params.path)
    .join('');
  assert.is(lk?.outcome === 'decided' && lk.tile.severePath, paths);
  assert.equal(
    asked(ofDomain.get('PA')).map(([name]) => name),
    ['ddr/ddr'],
  );
});

test('responses with equal facts are recorded individually', () => {
  const { ofResponse } = trace({ evidence: { LK_SHAPE: 'd10 CUCU' } });
  assert.equal(ofResponse.flatMap(asked), [
    ['adr/adr', 'ADR-06'],
    ['adr/adr', 'ADR-12'],
    ['adr/adr', 'ADR-06'],
    ['adr/adr', 'ADR-12'],
  ]);
  assert.is(ofResponse[1]?.[0]?.facts.correct, wrong.correct);
  assert.is(ofResponse[2]?.[0]?.facts.correct, right.correct);
});

test('ADR-01: equal answers in an unfinished session are recorded as not analysable', () => {
  const whole = input({ evidence: { LK_SHAPE: 'd10 C d12 C d14 C' } });
  const sessions = whole.sessions.map((one) => ({ ...one, analysable: one.sessionId !== 'd12' }));
  const { ofResponse } = traceEvaluation({ ...whole, sessions }, bundle);
  assert.equal(
    ofResponse.map((calls) => asked(calls)[0]?.[1]),
    ['ADR-06', 'ADR-01', 'ADR-06'],
  );
});

test('a sub-skill beyond the grade with too few distinct items is not recorded', () => {
  const base = input({ grade: 1, evidence: { RC_INFER: 'd5 CCC d12 CCC' } });
  const responses = base.responses.map((one, at) => ({ ...one, itemId: `i${at % 3}` }));
  const { ofSubSkill, evaluation } = traceEvaluation({ ...base, responses }, bundle);
  assert.not(evaluation.subSkills.some(({ subSkill }) => subSkill.code === 'RC_INFER'));
  assert.not(ofSubSkill.has('RC_INFER'));
});

test('a failed evaluation leaves no record for the next one', () => {
  const whole = input({ evidence: { LK_SHAPE: 'd10 CUCU' } });
  const [first] = whole.responses;
  assert.ok(first);
  const broken = { ...whole, responses: [first, { ...first, sessionId: 'nowhere' }] };
  assert.throws(() => traceEvaluation(broken, bundle), /unknown session/);
  assert.is(traceEvaluation(whole, bundle).ofResponse.length, 4);
});

test('an existing observer of the bundle still decides, and the trace records its answer', () => {
  const monitor: Observe = (table, _facts, hits) =>
    table.name === 'ssr/ssr' ? table.decisions.filter(({ ruleId }) => ruleId === 'SSR-05') : hits;
  const pinned = pinBundle(bundle.documents, monitor);
  const one = input({ evidence: { LK_SHAPE: 'd10 CCCC' } });
  const traced = traceEvaluation(one, pinned);
  assert.equal(traced.evaluation, evaluateStudent(one, compilePipeline(pinned)));
  assert.equal(asked(traced.ofSubSkill.get('LK_SHAPE')).at(-1), ['ssr/ssr', 'SSR-05']);
});

test.run();
