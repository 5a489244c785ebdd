// Every constant of the documents of profiles, bundles and groups at both ends of its range: it is refused on publication, or
// every engine keeps working.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { overlaid } from '#rules/rulesets/index.ts';
import { schoolCalendar } from '#support/interventions/engine/assignments/calendar.ts';
import { monitoringOf, workloadOf } from '#support/interventions/engine/assignments/dosage.ts';
import { poolDelivery } from '#support/interventions/engine/assignments/pooled.ts';
import { startedProgress } from '#support/interventions/engine/assignments/steps.ts';
import { expiryOf } from '#support/interventions/engine/clustering/generation.ts';
import { openable } from '#support/rti/engine/packets/openable.ts';
import { skillProgress } from '#support/rti/engine/skills/progress.ts';
import { skillFacts } from '#support/rti/engine/skills/skill-facts.ts';
import { compileEngines, type Engines } from '../../../scripts/eval/interventions/engines.ts';
import { endCases, namesOf, refusalOf } from '../../contract/ends/cases.ts';
import { measurementsOf } from '../rti/engine/measured.ts';
import { noPast } from './bundles/no-past.ts';
import { generatedClass } from './clustering/classes.ts';
import { bundle, runOf } from './runs.ts';

const families = ['profile', 'bundle', 'cluster', 'rti', 'fidelity'];
const cases = endCases().filter((one) => namesOf(one).some((name) => families.includes(name.split('/')[0] ?? '')));

/** Weak in one role, watched, halted, and as expected. */
const runs = [
  runOf({ skills: { DEC_WORD: 'weak_gateway', LIS_LITERAL: 'broad_weakness_related' } }),
  runOf({ skills: { DEC_WORD: 'weak_isolated' } }),
  runOf({ skills: { LK_SOUND: 'monitor' } }),
  runOf({ halts: { DEC_WORD: 'INSUFFICIENT_ITEMS' } }),
  runOf({}),
];

/** Calls every function that reads a constant once. */
function askAll(engines: Engines): void {
  const { profiles, recommendation, clusters, steps, track, settings } = engines;
  for (const grade of [1, 2, 3, 4]) {
    for (const tier of [1, 2, 3] as const) {
      for (const run of runs) {
        const question = { grade, tier, contextReview: false, acuteOpen: false, open: [], past: () => noPast };
        const counts = { Level_1: 1, Level_2: 1, Level_3: 1 };
        const profile = profiles.resolve(grade, run);
        recommendation.recommend({ ...question, profile, counts, anchorByOrf: false });
      }
    }
  }
  const { clusters: found } = clusters.partition(generatedClass(1, 60), settings.clusterMinimum);
  for (const { teachingGroups, memberStudentIds } of found) {
    assert.is(teachingGroups.flat().length, memberStudentIds.length);
  }
  assert.ok(Number.isFinite(expiryOf(new Date(0), settings).getTime()));
  const deliveries = ['2027-01-03', '2027-01-10'];
  const plan = { startOn: '2027-01-03', sessionsPerWeek: 3, plannedWeeks: 8, pauses: [], endedOn: null, deliveries };
  track({ active: true, plan, calendar: schoolCalendar(), asOf: '2027-12-31' });
  monitoringOf({ role: 'DECODE', tier: 3, startOn: '2027-01-03', probedOn: null, asOf: '2027-02-01' }, settings);
  workloadOf([{ bundle_id: 'b', deliveryMode: 'blended', sessionsPerWeek: 3, sessionMinutes: null }], settings);
  askTiers(engines);
  for (const { steps: planned } of recommendation.catalogue.bundles.filter((one) => one.steps.length > 0)) {
    let progress = startedProgress(planned, 'Level_3');
    // The longest step takes ten times its sessions before its goal is evaluated.
    for (let session = 0; progress.currentStepNo !== null; session += 1) {
      assert.ok(session < 1_000, 'the plan never ends');
      progress = steps(progress, { dndy: false, responses: [] }, new Set()).progress;
    }
  }
}

/** Two months of measurements of one skill, then every tier with few and with many. */
function askTiers({ rti, fidelity }: Engines): void {
  const rows = ['2027-01-03', '2027-02-03', '2027-03-07'].map((endedOn, at) => ({
    ...{ snapshotId: at + 1, sessionId: `s${at}`, endedOn, endedAt: endedOn, status: 'adequate' as const },
  }));
  const measurements = measurementsOf(rows);
  const found = rti.layerA({ prior: 'on_track', outcome: 'adequate', measurements, trend: 'none' });
  assert.ok(['on_track', 'maintenance'].includes(found.state));
  const skills = { DEC_WORD: { state: 'monitoring', stateBeforeNewest: 'on_track', measurements } } as const;
  skillFacts({ skills, used: new Set(), coveredRoles: new Set() }, rti.skills);
  const history = [
    { status: 'weak_gateway', on: '2027-01-03' },
    { status: 'adequate', on: '2027-03-07' },
  ] as const;
  skillProgress({ role: 'PHON', tierSince: '2027-01-03', trendType: null, pointsSinceTier: 0, history }, rti.settings);
  for (const tier of [1, 2, 3] as const) {
    for (const much of [0, 7]) {
      const counts = { broadCount: much, strongCount: much, severeTile: much > 0 };
      const weeks = { weeksInTier: much * 9, reviewWeeks: much * 9, deliveredWeeks: much * 9 };
      const facts = { ...quietStudent, ...counts, ...weeks, tier, gate: 'pass', progress: 'below' } as const;
      const open = { alertId: 'a', kind: 'Student_Alert', state: 'open', subSkillCode: null } as const;
      const unclosed = { expiresOn: null, closedOn: null, closedBy: null };
      rti.alerts.evaluate(facts, [], '2027-03-07');
      rti.alerts.evaluate(facts, [{ ...open, ...unclosed }], '2027-03-07');
      rti.recommend({
        ...{ sufficiencyReason: 'NONE', acuteOpen: false, acutePacket: false, tier, anchorStrong: true },
        ...{
          studentAlertOpen: true,
          intensiveOpen: false,
          progress: 'below',
          strongCount: much,
          anchorMonitoring: true,
        },
      });
      openable({ tier, alert: null, contextual: false, profile: 'DECODING_NEED' }, rti.packets);
    }
  }
  const pool = { plans: [], calendar: schoolCalendar(), tierSince: null, asOf: '2027-03-07' };
  assert.is(poolDelivery(pool, fidelity).planned, 0);
}

const quietStudent = {
  ...{ dndy: false, dataIncomplete: false, acuteDrop: null, acuteCbm: null },
  skillHits: ['DEC_WORD'],
};

test('the shipped numbers pass', () => askAll(compileEngines(bundle)));

test('at the ends of every number: refused, or every engine answers', () => {
  let refused = 0;
  for (const one of cases) {
    if (refusalOf(one.documents).length > 0) {
      refused += 1;
      continue;
    }
    try {
      askAll(compileEngines(overlaid(bundle, one.documents)));
    } catch (error) {
      throw new Error(`${one.name}: ${(error as Error).message}`, { cause: error });
    }
  }
  assert.ok(cases.length > 70, String(cases.length));
  assert.ok(refused > 0 && refused < cases.length / 4, `${refused} of ${cases.length} refused`);
});

test.run();
