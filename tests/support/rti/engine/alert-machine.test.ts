// ALT-01 to ALT-12 over many generated students and a school year of days: the machine against a model of the contract, and its
// invariants.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { AlertFacts } from '#support/rti/engine/alerts/alert.ts';
import { isClosedBy } from '#support/rti/engine/alerts/moves.ts';
import {
  type ReviewType,
  reviewTypes,
  rtiAlertKinds,
  severityOf,
  tierDecisions,
} from '#support/rti/engine/vocabulary.ts';
import { compileEngines } from '../../../../scripts/eval/interventions/engines.ts';
import { alertsCase } from '../../../../scripts/eval/interventions/rti-alerts.ts';
import { AlertModel, severity } from './alert-model.ts';
import { bundle, calm, randomOf } from './bundle.ts';

const engines = compileEngines(bundle);
type Step = Parameters<typeof alertsCase>[0]['steps'][number];

const skills = ['LK_SOUND', 'DEC_WORD', 'LIS_LITERAL'];

function stepsOf(seed: number, count: number): Step[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let on = '2026-09-06';
  return Array.from({ length: count }, (): Step => {
    on = daysAfter(on, pick([0, 1, 3, 7, 14]));
    const chance = random();
    if (chance < 0.12)
      return { on, op: pick(['dismiss', 'dismiss', 'acknowledge'] as const), n: 1 + Math.floor(random() * 4) };
    if (chance < 0.22)
      return {
        on,
        op: 'decision',
        decision: pick(tierDecisions),
        packet: pick<ReviewType | null>([null, null, ...reviewTypes]),
      };
    const acuteDrop = random() < 0.08;
    const facts = {
      ...{ dndy: random() < 0.06, dataIncomplete: random() < 0.05 },
      ...{ acuteDrop, acuteSubSkill: acuteDrop ? pick(skills) : null, acuteCbm: random() < 0.04 },
      ...{ tier: pick([1, 1, 2, 3] as const), weeksInTier: pick([2, 5, 6, 9]), reviewWeeks: pick([2, 6, 8]) },
      ...{ deliveredWeeks: pick([0, 3, 4, 9]), gate: pick(['pass', 'pass', 'fail', 'not_applicable'] as const) },
      ...{ progress: pick(['unknown', 'below', 'below', 'mixed', 'above'] as const), broadCount: pick([0, 0, 0, 1]) },
      ...{ strongCount: pick([0, 0, 1, 2]), severeTile: random() < 0.1 },
      skillHits: skills.filter(() => random() < 0.35),
    };
    return { on, op: 'evaluate', facts };
  });
}

/** The facts as input of the machine. */
function factsOf(step: Extract<Step, { op: 'evaluate' }>): AlertFacts {
  const { acuteDrop, acuteSubSkill, acuteCbm, ...facts } = step.facts;
  return {
    ...{ ...calm, ...facts },
    acuteDrop: acuteDrop && acuteSubSkill !== null ? { subSkillCode: acuteSubSkill, snapshotId: 1 } : null,
    acuteCbm: acuteCbm ? 'signal' : null,
  };
}

function byModel(model: AlertModel, step: Step): string {
  if (step.op === 'evaluate') return model.evaluate(factsOf(step), step.on) === 'halt' ? 'halt' : 'ok';
  if (step.op === 'decision') {
    model.decide(step.decision, step.packet, step.on);
    return 'ok';
  }
  if (step.op === 'dismiss') return model.dismiss(step.n, step.on);
  return model.alerts[step.n - 1]?.state === 'open' ? 'ok' : 'invalid_transition';
}

const shown = ({ alerts }: AlertModel) =>
  alerts.map(({ n, kind, state, closeReason, skill, expiresOn }) => ({
    ...{ n, kind, state, closeReason, subSkillCode: skill, expiresOn },
  }));

/** Leaves out calls about alerts that do not exist. */
function playable(steps: readonly Step[]): Step[] {
  const model = new AlertModel();
  return steps.filter((step) => {
    if ('n' in step && step.n > model.alerts.length) return false;
    byModel(model, step);
    return true;
  });
}

const seeds = Array.from({ length: 250 }, (_, at) => at + 1);
const years = seeds.map((seed) => {
  const steps = playable(stepsOf(seed, 40));
  return { seed, steps, results: alertsCase({ steps }, engines) };
});

test('every step ends as in the model of the contract', () => {
  const seen = new Set<string>();
  for (const { seed, steps, results } of years) {
    const model = new AlertModel();
    for (const [at, step] of steps.entries()) {
      const result = byModel(model, step);
      const place = `seed ${seed}, step ${at}: ${JSON.stringify(step)}`;
      assert.equal(results[at], { result, alerts: shown(model) }, place);
      for (const { kind, state, closeReason } of shown(model)) seen.add(`${kind} ${state} ${closeReason}`);
    }
  }
  // Every kind was opened, and ended in every possible way.
  for (const kind of rtiAlertKinds) {
    const ends = ['decision_committed', ...(severity[kind] < 5 ? ['superseded_by_more_severe'] : [])];
    const cleared = severity[kind] < 4 ? ['condition_cleared'] : [];
    for (const end of [...ends, ...cleared]) assert.ok(seen.has(`${kind} closed ${end}`), `${kind} ${end}`);
    assert.is(seen.has(`${kind} dismissed null`), severity[kind] < 4, kind);
  }
});

test('never two open, none opens in a halt, and a less severe one replaces none that was not closed', () => {
  for (const { seed, steps, results } of years) {
    let before: (typeof results)[number]['alerts'] = [];
    for (const [at, { result, alerts }] of results.entries()) {
      const place = `seed ${seed}, step ${at}: ${JSON.stringify(steps[at])}`;
      const open = alerts.filter(({ state }) => state === 'open');
      assert.ok(open.length <= 1, place);
      if (result === 'halt') assert.equal(alerts, before, place);
      const was = before.find(({ state }) => state === 'open');
      const is = open[0];
      if (was && is && was.n !== is.n) {
        assert.is.not(alerts.find(({ n }) => n === was.n)?.state, 'open', place);
        const isCleared = alerts.find(({ n }) => n === was.n)?.closeReason === 'condition_cleared';
        assert.ok(isCleared || severityOf(is.kind) > severityOf(was.kind), place);
      }
      before = alerts;
    }
  }
});

test('what is quiet stays quiet, to the day', () => {
  const facts = { ...calm, tier: 1, strongCount: 2 } as const;
  const dismissed = { alertId: 'a', kind: 'Student_Alert', state: 'dismissed', subSkillCode: null } as const;
  const alert = { ...dismissed, expiresOn: '2026-10-15', closedOn: null, closedBy: null } as const;
  const { evaluate } = engines.rti.alerts;
  assert.equal(evaluate(facts, [alert], '2026-10-14').transitions, []);
  assert.equal(evaluate(facts, [alert], '2026-10-15').transitions, [{ type: 'reopen', alertId: 'a' }]);
  assert.equal(evaluate(calm, [alert], '2026-10-15').transitions, [
    { type: 'close', alertId: 'a', reason: 'condition_cleared' },
  ]);
  const closed = { ...alert, state: 'closed', expiresOn: null, closedOn: '2026-10-01' } as const;
  for (const closedBy of ['maintain', 'defer'] as const) {
    const decided = [{ ...closed, closedBy }];
    assert.equal(evaluate(facts, decided, '2026-10-28').transitions, [], '27 days');
    assert.is(evaluate(facts, decided, '2026-10-29').transitions.length, 1, '28 days');
  }
  for (const closedBy of ['escalate', 'de_escalate', null] as const) {
    assert.is(evaluate(facts, [{ ...closed, closedBy }], '2026-10-02').transitions.length, 1, String(closedBy));
  }
});

test('two dismissals end before one evaluation: the one that ended first opens again, the other gives way', () => {
  const skill = { alertId: 's', kind: 'Skill_Alert', state: 'dismissed', subSkillCode: 'LK_SOUND' } as const;
  const student = { alertId: 't', kind: 'Student_Alert', state: 'dismissed', subSkillCode: null } as const;
  const unclosed = { closedOn: null, closedBy: null };
  const facts = { ...calm, tier: 2, gate: 'pass', progress: 'below', deliveredWeeks: 4 } as const;
  const both = { ...facts, skillHits: ['LK_SOUND'] };
  const alerts = [
    { ...skill, ...unclosed, expiresOn: '2026-10-15' },
    { ...student, ...unclosed, expiresOn: '2026-10-12' },
  ];
  assert.equal(engines.rti.alerts.evaluate(both, alerts, '2026-10-20').transitions, [
    { type: 'reopen', alertId: 't' },
    { type: 'close', alertId: 's', reason: 'superseded_by_more_severe' },
  ]);
  assert.equal(engines.rti.alerts.evaluate({ ...both, dndy: true }, alerts, '2026-10-20').transitions, []);
});

test('what opened an acute alert is named, so that it opens none again', () => {
  const acuteDrop = { subSkillCode: 'LK_SOUND', snapshotId: 7 };
  const both = engines.rti.alerts.evaluate({ ...calm, acuteDrop, acuteCbm: 's' }, [], '2026-10-01').transitions;
  assert.equal(both, [
    {
      ...{ type: 'open', kind: 'acute_regression_review', ruleId: 'RAL-02', subSkillCode: 'LK_SOUND' },
      spent: { snapshotId: 7, signalId: 's' },
    },
  ]);
  const student = engines.rti.alerts.evaluate({ ...calm, broadCount: 1 }, [], '2026-10-01').transitions;
  assert.equal(
    student.map((one) => one.type === 'open' && one.spent),
    [{ snapshotId: null, signalId: null }],
  );
});

test('a suppressed candidate is named, the open kind among them', () => {
  const open = { alertId: 'a', kind: 'Student_Alert', state: 'open', subSkillCode: null } as const;
  const alert = { ...open, expiresOn: null, closedOn: null, closedBy: null };
  const { evaluate } = engines.rti.alerts;
  const facts = { ...calm, strongCount: 2, skillHits: ['LK_SOUND'] };
  assert.is(evaluate(facts, [alert], '2026-10-01').suppressedKind, 'Student_Alert');
  const review = { ...alert, kind: 'tier_review_due' } as const;
  assert.is(evaluate({ ...calm, skillHits: ['LK_SOUND'] }, [review], '2026-10-01').suppressedKind, 'Skill_Alert');
});

test('which decision closes which kind', () => {
  const closing = (decision: (typeof tierDecisions)[number], packet: ReviewType | null, moved = false) =>
    rtiAlertKinds.filter((kind) => isClosedBy(kind, { decision, packet, moved }));
  const light = ['Student_Alert', 'tier_review_due', 'Skill_Alert'];
  assert.equal(closing('maintain', null), light);
  assert.equal(closing('defer', null), light);
  assert.equal(closing('maintain', 'intensive_review'), ['Intensive_Review', ...light]);
  assert.equal(closing('maintain', 'acute_regression'), [...rtiAlertKinds]);
  assert.equal(closing('defer', 'acute_regression'), []);
  assert.equal(closing('escalate', 'intensive_review', true), [...rtiAlertKinds]);
});

test.run();
