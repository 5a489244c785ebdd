// Measurements, layer A, acute drops, skill hits and progress: by hand from contract 51 §4.1 and §4.3.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SkillStatus } from '#assessment/skill-status/index.ts';
import type { LayerAQuestion } from '#support/rti/engine/skills/layer-a.ts';
import type { SnapshotRow } from '#support/rti/engine/skills/measurements.ts';
import { focusRole, type ProgressQuestion, skillProgress } from '#support/rti/engine/skills/progress.ts';
import { type SkillHistory, skillFacts, stateBeforeNewest } from '#support/rti/engine/skills/skill-facts.ts';
import { rti } from './bundle.ts';
import { measurementsOf } from './measured.ts';

let snapshots = 0;
const row = (sessionId: string, endedOn: string, status: SkillStatus | null): SnapshotRow => {
  snapshots += 1;
  return { snapshotId: snapshots, status, sessionId, endedAt: `${endedOn}T08:00:00.000Z`, endedOn };
};

test('a session is one measurement, with the status of the last run that used it', () => {
  const rows = [
    row('b', '2026-10-05', 'monitor'),
    row('c', '2026-10-09', null),
    row('b', '2026-10-05', 'adequate'),
    row('a', '2026-10-05', 'weak_gateway'),
  ];
  const found = measurementsOf(rows);
  assert.equal(
    found.map(({ sessionId, status }) => [sessionId, status]),
    [
      ['a', 'weak_gateway'],
      ['b', 'adequate'],
    ],
  );
  assert.equal(found[1]?.snapshotIds, [rows[0]?.snapshotId, rows[2]?.snapshotId]);
  assert.is(found[1]?.snapshotId, rows[2]?.snapshotId);
});

const adequate = (...days: string[]) => measurementsOf(days.map((day) => row(day, day, 'adequate')));
const asked = (given: Partial<LayerAQuestion>) => {
  const { ruleId, state, event } = rti.layerA({
    ...{ prior: 'none', outcome: 'adequate', measurements: adequate('2026-10-01'), trend: 'none' },
    ...given,
  });
  return [ruleId, state, event];
};
const kept = { prior: 'on_track', measurements: adequate('2026-09-01', '2026-10-01', '2026-10-27') } as const;

const layerA: readonly [Partial<LayerAQuestion>, unknown][] = [
  [{ outcome: 'do_not_decide_yet' }, ['LSA-01', 'none', null]],
  [{ outcome: 'do_not_decide_yet', prior: 'maintenance' }, ['LSA-01', 'maintenance', null]],
  [{ outcome: 'contextual_review', prior: 'on_track' }, ['LSA-02', 'on_track', null]],
  [{ outcome: 'contextual_review' }, ['LSA-03', 'monitoring', null]],
  [{ outcome: 'monitor', prior: 'maintenance' }, ['LSA-03', 'monitoring', null]],
  [{}, ['LSA-04', 'on_track', null]],
  [{ prior: 'monitoring' }, ['LSA-99', 'monitoring', null]],
  [
    { prior: 'monitoring', measurements: adequate('2026-10-01', '2026-10-02') },
    ['LSA-05', 'on_track', 'subskill_state_up'],
  ],
  [kept, ['LSA-06', 'maintenance', 'subskill_state_up']],
  [{ ...kept, trend: 'trend_below_goal' }, ['LSA-99', 'on_track', null]],
  [{ ...kept, measurements: adequate('2026-09-01', '2026-10-01', '2026-10-26') }, ['LSA-99', 'on_track', null]],
  [{ ...kept, prior: 'maintenance' }, ['LSA-99', 'maintenance', null]],
];
for (const [given, expected] of layerA) {
  test(`layer A: ${JSON.stringify({ ...given, measurements: given.measurements?.length })}`, () => {
    assert.equal(asked(given), expected);
  });
}

test('a run of adequate measurements begins after the last that was not', () => {
  const rows = ['adequate', 'monitor', 'adequate', 'adequate'] as const;
  const measurements = measurementsOf(rows.map((status, at) => row(`s${at}`, `2026-10-0${at + 1}`, status)));
  const { facts } = rti.layerA({ prior: 'monitoring', outcome: 'adequate', measurements, trend: 'none' });
  assert.equal([facts.run, facts.runDays], [2, 1]);
  const broken = rti.layerA({ prior: 'monitoring', outcome: 'monitor', measurements, trend: 'none' });
  assert.equal([broken.facts.run, broken.facts.runDays], [0, 0]);
});

const fell = (days: string, status: SkillStatus = 'weak_gateway'): SkillHistory => ({
  ...{ state: 'monitoring', stateBeforeNewest: 'on_track' },
  measurements: measurementsOf([row('x', '2026-09-01', 'adequate'), row('y', days, status)]),
});
const factsOf = (
  skills: Readonly<Record<string, SkillHistory>>,
  used: readonly number[] = [],
  covered: string[] = [],
) => skillFacts({ skills, used: new Set(used), coveredRoles: new Set(covered) }, rti.skills);
const dropOf = (history: SkillHistory) => factsOf({ DEC_WORD: history }).acuteDrop?.subSkillCode;

test('an acute drop: within 42 days, from adequate to a strong weakness, of what stood', () => {
  assert.is(dropOf(fell('2026-10-13')), 'DEC_WORD');
  assert.is(dropOf(fell('2026-10-14')), undefined);
  assert.is(dropOf(fell('2026-10-13', 'weak_isolated')), undefined);
  assert.is(dropOf({ ...fell('2026-10-13'), stateBeforeNewest: 'monitoring' }), undefined);
});

test('indicators neither fall nor hit', () => {
  assert.equal(factsOf({ ACC_SHADDA: fell('2026-09-10'), SPL_TAA: fell('2026-09-10') }), {
    ...{ skillHits: [], acuteDrop: null },
  });
});

test('what opened an acute alert is spent, evaluated again or not', () => {
  const rows = [row('x', '2026-09-01', 'adequate'), row('y', '2026-10-01', 'weak_gateway')];
  const used = [rows[1]?.snapshotId ?? 0];
  const history = { ...fell('2026-10-01'), measurements: measurementsOf(rows) };
  const again = measurementsOf([...rows, row('y', '2026-10-01', 'broad_weakness_related')]);
  assert.is(dropOf(history), 'DEC_WORD');
  assert.is(factsOf({ DEC_WORD: history }, used).acuteDrop, null);
  assert.is(factsOf({ DEC_WORD: { ...history, measurements: again } }, used).acuteDrop, null);
});

test('the worst fell first, then the first of the catalogue', () => {
  const skills = {
    DEC_WORD: fell('2026-09-10'),
    LK_SOUND: fell('2026-09-10'),
    DEC_MULTI: fell('2026-09-10', 'broad_weakness_related'),
  };
  const { acuteDrop, skillHits } = factsOf(skills);
  assert.is(acuteDrop?.subSkillCode, 'DEC_MULTI');
  assert.equal(skillHits, ['LK_SOUND', 'DEC_WORD']);
  assert.equal(factsOf(skills, [], ['DECODE']).skillHits, ['LK_SOUND'], 'a plan covers the other');
});

test('two weak measurements hit, one does not; nor does what layer A does not monitor', () => {
  const weak = (...statuses: SkillStatus[]): SkillHistory => ({
    ...{ state: 'monitoring', stateBeforeNewest: 'monitoring' },
    measurements: measurementsOf(statuses.map((status, at) => row(`w${at}`, `2026-10-0${at + 1}`, status))),
  });
  const hits = (history: SkillHistory) => factsOf({ VOC_MEANING: history }).skillHits.length;
  assert.is(hits(weak('weak_isolated', 'weak_domain_related')), 1);
  assert.is(hits(weak('monitor', 'weak_domain_related')), 0);
  assert.is(hits(weak('weak_gateway')), 1);
  assert.is(hits({ ...weak('weak_gateway'), state: 'on_track' }), 0);
});

test('the state before the newest measurement', () => {
  const rows = [row('p', '2026-09-01', 'adequate'), row('q', '2026-09-20', 'weak_gateway')];
  const ids = rows.map(({ snapshotId }) => snapshotId);
  const changes = [
    { snapshotId: ids[0] ?? 0, state: 'on_track' },
    { snapshotId: ids[1] ?? 0, state: 'monitoring' },
  ] as const;
  assert.is(stateBeforeNewest(measurementsOf(rows), changes), 'on_track');
  assert.is(stateBeforeNewest(measurementsOf(rows.slice(0, 1)), changes), 'none');
});

const progress = (given: Partial<ProgressQuestion>) =>
  skillProgress(
    { role: 'PHON', tierSince: '2026-10-01', trendType: null, pointsSinceTier: 0, history: [], ...given },
    rti.settings,
  );
const evaluatedRows = (...pairs: [SkillStatus, string][]) => pairs.map(([status, on]) => ({ status, on }));

test('progress by the repeated measure: three points since the tier began', () => {
  const orf = { role: 'DECODE', pointsSinceTier: 3 } as const;
  assert.is(progress({ ...orf, trendType: 'trend_below_goal' }), 'below');
  assert.is(progress({ ...orf, trendType: 'trend_mixed' }), 'mixed');
  assert.is(progress({ ...orf, trendType: 'trend_above_goal' }), 'above');
  assert.is(progress({ ...orf, trendType: 'insufficient_points' }), 'unknown');
  assert.is(progress({ ...orf, trendType: 'trend_below_goal', pointsSinceTier: 2 }), 'unknown');
  assert.is(progress({ role: null, trendType: 'trend_below_goal', pointsSinceTier: 9 }), 'unknown');
});

test('progress by statuses: the newest, two weeks after the tier began, against the one in force then', () => {
  const then: [SkillStatus, string] = ['weak_domain_related', '2026-09-20'];
  const at = (status: SkillStatus, on = '2026-10-15') => progress({ history: evaluatedRows(then, [status, on]) });
  assert.is(at('adequate'), 'above');
  assert.is(at('weak_domain_related'), 'below');
  assert.is(at('broad_weakness_related'), 'below');
  assert.is(at('weak_isolated'), 'mixed');
  assert.is(at('contextual_review'), 'mixed');
  assert.is(at('adequate', '2026-10-14'), 'unknown');
  assert.is(progress({ history: evaluatedRows(['weak_gateway', '2026-10-20']) }), 'unknown', 'nothing to compare with');
  const after = evaluatedRows(['weak_isolated', '2026-10-02'], ['weak_gateway', '2026-10-20']);
  assert.is(progress({ history: after }), 'below');
});

test('the focus: the newest assignment since the tier began, its first role; else the anchor', () => {
  const plan = { assignmentId: 'a', startOn: '2026-10-05', activatedAt: '2026-10-01T08:00:00.000Z', endedOn: null };
  const of = (...plans: Parameters<typeof focusRole>[0]) => focusRole(plans, 'ENCODE', '2026-10-01', '2026-11-01');
  assert.is(of(), 'ENCODE');
  assert.is(of({ ...plan, roles: ['DECODE', 'LANGUAGE'] }), 'DECODE');
  assert.is(of({ ...plan, roles: [] }), 'ENCODE', 'marks alone have no role');
  assert.is(of({ ...plan, roles: ['PHON'], endedOn: '2026-09-30' }), 'ENCODE');
  assert.is(of({ ...plan, roles: ['PHON'], startOn: '2026-11-02' }), 'ENCODE');
  assert.is(of({ ...plan, roles: ['PHON'] }, { ...plan, roles: ['LETTER'], startOn: '2026-10-06' }), 'LETTER');
});

test.run();
