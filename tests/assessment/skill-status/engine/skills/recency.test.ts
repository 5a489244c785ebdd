// DTH-CNF-05: evidence four weeks newer, enough of it and no less standard, is not outvoted by the weight of older
// evidence; versions of `dth/dth` without the constant evaluate as before.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvaluationInput } from '#assessment/measurement/evidence/engine/evidence.ts';
import { compilePipeline, evaluateStudent, type Pipeline } from '#assessment/skill-status/engine/evaluate.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { documentName, overlaid } from '#rules/rulesets/index.ts';
import { bundle, pipeline } from '../rules.ts';
import { input, right, statusOf, wrong } from '../students.ts';

const files = await loadRules(path.resolve(import.meta.dirname, '../../../../../rules'));
const first = files.filter(({ document }) => documentName(document) === 'dth/dth' && document.meta.version === 1);
const before = compilePipeline(
  overlaid(
    bundle,
    first.map(({ document }) => document),
  ),
);

const code = 'LK_SOUND';

function found(given: EvaluationInput, rules: Pipeline = pipeline) {
  const one = evaluateStudent(given, rules).subSkills.find(({ subSkill }) => subSkill.code === code);
  if (!one || one.outcome === 'not_assessed') throw new Error(`${code} was not evaluated`);
  const { cisRuleId, facts } = one.confirmation;
  return { rule: cisRuleId, state: facts.conflictState, band: facts.deficitBand, status: statusOf(one) };
}

const read = (sessions: string) => input({ evidence: { [code]: sessions } });
const short = ({ rule, band, status }: ReturnType<typeof found>) => `${rule} ${band} ${status}`;

// Sessions → with version 1, with the rule.
const cases = [
  [`d1 ${'U'.repeat(8)} d29 CCCC`, 'CIS-02 severe weak_gateway', 'CIS-03 mild monitor_gateway', '28 days later'],
  [`d1 ${'U'.repeat(8)} d28 CCCC`, 'CIS-02 severe weak_gateway', 'CIS-02 severe weak_gateway', '27 days are few'],
  [`d1 ${'U'.repeat(8)} d29 CC d30 CC`, 'CIS-02 severe weak_gateway', 'CIS-03 mild monitor_gateway', 'four together'],
  [`d1 ${'U'.repeat(8)} d29 CCC`, 'CIS-02 severe weak_gateway', 'CIS-02 severe weak_gateway', 'three units are few'],
  [
    `d1 ${'U'.repeat(8)} d29 C d30 CCC`,
    'CIS-02 severe weak_gateway',
    'CIS-02 severe weak_gateway',
    'one takes no side',
  ],
  [`d1 ${'U'.repeat(8)} p29 CCCC`, 'CIS-02 severe weak_gateway', 'CIS-02 severe weak_gateway', 'practice after a test'],
  [
    `d1 ${'U'.repeat(8)} p29 CC d30 CC`,
    'CIS-02 severe weak_gateway',
    'CIS-03 mild monitor_gateway',
    'one test suffices',
  ],
  [
    `p1 ${'U'.repeat(9)} p29 CCCC`,
    'CIS-02 severe weak_gateway',
    'CIS-03 mild monitor_gateway',
    'practice after practice',
  ],
  [
    `p1 ${'U'.repeat(9)} d29 CCCC`,
    'CIS-03 mild monitor_gateway',
    'CIS-03 mild monitor_gateway',
    'a test after practice',
  ],
  [
    `d1 ${'U'.repeat(10)} d10 CC d29 CCCC`,
    'CIS-02 severe weak_gateway',
    'CIS-02 severe weak_gateway',
    'its oldest counts',
  ],
  [
    `d1 UUUU d2 ${'U'.repeat(6)} d30 CCCC`,
    'CIS-02 severe weak_gateway',
    'CIS-03 mild monitor_gateway',
    '28 days after both',
  ],
  [
    `d1 UUUU d2 ${'U'.repeat(6)} d29 CCCC`,
    'CIS-02 severe weak_gateway',
    'CIS-02 severe weak_gateway',
    '27 after the newest',
  ],
  [
    'd1 UUUUUUUU d15 UCCC d29 CCCC',
    'CIS-02 severe weak_gateway',
    'CIS-03 mild monitor_gateway',
    'a neutral one between',
  ],
  [`d1 ${'C'.repeat(7)} d29 UUUUU`, 'CIS-02 mild monitor_gateway', 'CIS-03 marked weak_gateway', 'a loss counts too'],
  ['d1 CCCC d29 CCCC', 'CIS-01 none adequate', 'CIS-01 none adequate', 'one side only'],
] as const;
for (const [sessions, then, now, why] of cases) {
  test(`${why}: ${sessions}`, () => {
    assert.is(short(found(read(sessions), before)), then);
    assert.is(short(found(read(sessions))), now);
  });
}

test('a moment less than 28 days is not enough', () => {
  const given = read(`d1 ${'U'.repeat(8)} d29 CCCC`);
  const moved = (ms: string): EvaluationInput => ({
    ...given,
    sessions: given.sessions.map((one, at) => ({
      ...one,
      endedAt: at === 0 ? `2026-01-01T09:00:00.${ms}Z` : one.endedAt,
    })),
  });
  assert.is(found(moved('000')).rule, 'CIS-03');
  assert.is(found(moved('001')).rule, 'CIS-02');
});

interface RecencyCase {
  readonly input: EvaluationInput & { readonly caseId: string };
  readonly expected: { readonly cis: string; readonly status: string };
  readonly withoutRecency: { readonly cis: string; readonly status: string };
}
const year: { readonly cases: readonly RecencyCase[] } = JSON.parse(
  fs.readFileSync('tests/golden/sse-recency-cases.json', 'utf8'),
);
for (const { input: given, expected, withoutRecency } of year.cases) {
  test(`${given.caseId}: with the rule ${expected.status}, without it ${withoutRecency.status}`, () => {
    assert.is(`${found(given).rule} ${found(given).status}`, `${expected.cis} ${expected.status}`);
    const earlier = found(given, before);
    assert.is(`${earlier.rule} ${earlier.status}`, `${withoutRecency.cis} ${withoutRecency.status}`);
  });
}

const session = (sessionId: string) =>
  fc.record({
    sessionId: fc.constant(sessionId),
    source: fc.constantFrom('diagnostic' as const, 'practice' as const),
    endedAt: fc
      .integer({ min: 0, max: 90 })
      .map((day) => new Date(Date.UTC(2025, 9, 1) + day * 86_400_000).toISOString()),
    analysable: fc.constant(true),
    answers: fc.oneof(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.constant<boolean>(true), { minLength: 1, maxLength: 8 }),
      fc.array(fc.constant<boolean>(false), { minLength: 1, maxLength: 8 }),
    ),
  });
const students = fc.tuple(session('a'), session('b'), session('c'));
type Generated = typeof students extends fc.Arbitrary<infer One> ? One : never;

const evidenceOf = (sessions: Generated): EvaluationInput => ({
  ...{ grade: 2, contextReviewActive: false, asOf: '2026-02-01T08:00:00.000Z' },
  sessions: sessions.map(({ answers: _answers, ...one }) => one),
  responses: sessions.flatMap(({ sessionId, answers }) =>
    answers.map((correct, at) => ({
      ...(correct ? right : wrong),
      ...{ sessionId, itemId: `${sessionId}${at}`, subSkillCode: code },
    })),
  ),
});

/** Reads the rule of the contract from the sessions, without the engine: the later side, or null. */
function laterSide(sessions: Generated): 'weak' | 'ok' | null {
  const sided = sessions.map(({ answers, endedAt, source }) => {
    const rate = answers.filter((correct) => !correct).length / answers.length;
    const side = answers.length < 2 ? 'none' : rate >= 0.35 ? 'weak' : rate < 0.2 ? 'ok' : 'none';
    return { side, units: answers.length, at: Date.parse(endedAt), test: source === 'diagnostic' };
  });
  for (const [earlier, later] of [
    ['weak', 'ok'],
    ['ok', 'weak'],
  ] as const) {
    const old = sided.filter(({ side }) => side === earlier);
    const young = sided.filter(({ side }) => side === later);
    if (old.length === 0 || young.length === 0) continue;
    const apart = young.every(({ at }) => old.every((one) => at - one.at >= 28 * 86_400_000));
    const units = young.reduce((sum, one) => sum + one.units, 0);
    if (apart && units >= 4 && (young.some((one) => one.test) || !old.some((one) => one.test))) return later;
  }
  return null;
}

test('the later side wins exactly where the contract says so, and all else is as without the rule', () => {
  let hits = 0;
  fc.assert(
    fc.property(students, (sessions) => {
      const given = evidenceOf(sessions);
      const later = laterSide(sessions);
      if (later === null) {
        assert.equal(evaluateStudent(given, pipeline).subSkills, evaluateStudent(given, before).subSkills);
        return;
      }
      hits += 1;
      const now = found(given);
      assert.is(now.rule, 'CIS-03');
      assert.is(now.state, 'resolved_tiebreak');
      if (later === 'ok')
        assert.ok(now.band === 'none' || now.band === 'mild', 'the newer side holds the band at mild');
    }),
    { seed: 53, numRuns: 2000 },
  );
  assert.ok(hits >= 200, `${hits} hits`);
});

test('more of the old evidence never changes who wins', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 4, max: 12 }),
      fc.boolean(),
      (old, young, better) => {
        const [then, now] = better ? ['U', 'C'] : ['C', 'U'];
        const { rule, band } = found(read(`d1 ${then.repeat(old)} d29 ${now.repeat(young)}`));
        assert.is(rule, 'CIS-03');
        if (better) assert.ok(band === 'none' || band === 'mild');
        else assert.is(band, bandOf(young / (old + young)));
      },
    ),
    { seed: 53, numRuns: 300 },
  );
});

const bandOf = (rate: number) => (rate < 0.2 ? 'none' : rate < 0.35 ? 'mild' : rate < 0.5 ? 'marked' : 'severe');

test('a constant that the table could not follow is refused', () => {
  const [document] = files.filter((one) => documentName(one.document) === 'dth/dth' && one.document.meta.version === 3);
  assert.ok(document);
  const changed = structuredClone(document.document);
  const constant = changed.constants?.['DTH-CNF-05'];
  assert.ok(constant);
  const withValue = (value: number) => ({
    ...changed,
    constants: { ...changed.constants, 'DTH-CNF-05': { ...constant, value } },
  });
  assert.ok(compilePipeline(overlaid(bundle, [withValue(14)])));
  assert.throws(() => compilePipeline(overlaid(bundle, [withValue(13)])), /DTH-CNF-05 is less than DTH-CNF-02/);
});

test.run();
