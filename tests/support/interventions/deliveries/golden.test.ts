// The golden cases of steps, delivery and track, recorded as deliveries: the tables hold the results of another program.
import fs from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { deliveredDays, planOf } from '#support/interventions/assignments/track.ts';
import { countDelivery } from '#support/interventions/engine/assignments/delivered.ts';
import { startedProgress } from '#support/interventions/engine/assignments/steps.ts';
import type { BundleStep } from '#support/interventions/engine/bundles/catalogue.ts';
import { insertAssignment } from '../assignment-rows.ts';
import { engines } from '../runs.ts';
import type { Json, Pupil } from '../workflow/draft-bodies.ts';
import { atNoon, useSessions } from './sessions.ts';

const test = suite('golden cases as recorded deliveries');
const { plans, deliver, told: reported } = useSessions(test);
const { app, services } = plans.shell;
const { owner } = app.database;

interface Case<Input, Expected> {
  readonly kind: string;
  readonly name: string;
  readonly input: Input;
  readonly expected: Expected;
}

function casesOf<Input, Expected>(kind: string): readonly Case<Input, Expected>[] {
  const files = ['tests/golden/intervention-golden-cases.json', 'tests/golden/workflow-golden-cases.json'];
  const all = files.flatMap((file) => (JSON.parse(fs.readFileSync(file, 'utf8')) as { cases: unknown[] }).cases);
  const found = (all as Case<Input, Expected>[]).filter((one) => one.kind === kind);
  assert.ok(found.length > 0, kind);
  return found;
}

/** A new assignment of a catalogue entry without an activation, since the cases name no profile. */
function begun(pupil: Pupil, bundleId: string, overrides: Json = {}): Promise<string> {
  const bundle = engines.recommendation.catalogue.byId.get(bundleId);
  const { steps } = startedProgress(bundle?.steps ?? [], 'Level_3');
  const of = { objectType: bundle?.objectType, catalogueVersion: engines.recommendation.catalogue.version };
  return insertAssignment(owner, pupil, bundleId, { ...of, steps: JSON.stringify(steps), ...overrides });
}

interface StepsInput {
  readonly bundle_id: string;
  readonly anchorRole?: string;
  readonly scaffoldTier: string;
  readonly deliveries: readonly { readonly dndy: boolean; readonly responses: never[] }[];
}

interface StepsExpected extends Json {
  readonly events: readonly string[];
  readonly steps: readonly (Pick<BundleStep, 'stepNo'> & Json)[];
}

const eventNames: Readonly<Record<string, string>> = {
  bundle_step_goal_met: 'bundle.step_goal_met',
  plan_modification_suggestion: 'plan.modification_suggested',
  scaffold_tier_step_up: 'bundle.scaffold_step_up',
  bundle_completion: 'bundle.completed',
};

/** `scaffold_tier_step_up:Level_3>Level_2` from an event of the outbox. */
function eventNameOf(event: string): string {
  const [name = '', words = ''] = event.split(':');
  return [eventNames[name], ...words.split('>')].filter(Boolean).join(' ');
}

for (const { name, input, expected } of casesOf<StepsInput, StepsExpected>('steps')) {
  test(`steps: ${name}`, async () => {
    const pupil = await plans.pupil();
    const { bundle_id, scaffoldTier, anchorRole = null } = input;
    const id = await begun(pupil, bundle_id, { scaffoldTier, anchorRole, startOn: '2025-12-01' });
    for (const [at, { dndy, responses }] of input.deliveries.entries()) {
      assert.not(dndy, 'halts are played elsewhere');
      app.clock.set(atNoon(daysAfter('2025-12-01', at)));
      await deliver(pupil, { bundle_id, responses });
    }
    const { state, completionResult, currentStepNo, steps, scaffoldTier: tier } = await plans.row(pupil, id);
    const { events, steps: expectedSteps, ruleIds: _ruleIds, ...end } = expected;
    assert.equal({ state, completionResult, currentStepNo, scaffoldTier: tier }, end);
    assert.equal(
      steps.map(({ stepNo, deliveredSessions, goalState, scored, correct, rate }) => ({
        ...{ stepNo, deliveredSessions, goalState, scored, correct, rate },
      })),
      expectedSteps,
    );
    const all = await reported(pupil);
    const ofSteps = all.filter((one) => !one.startsWith('assignment.') && !one.endsWith(' plan_completed'));
    assert.equal(ofSteps, events.map(eventNameOf));
    const completions = all.filter((one) => one.endsWith(' plan_completed')).length;
    assert.is(completions, end.state === 'completed' ? 1 : 0);
  });
}

interface FidelityInput {
  readonly startOn: string;
  readonly asOf: string;
  readonly sessionsPerWeek: number;
  readonly plannedWeeks: number;
  readonly deliveredOn: readonly string[];
}

for (const { name, input, expected } of casesOf<FidelityInput, Json>('fidelity')) {
  test(`fidelity: ${name}`, async () => {
    const { asOf, deliveredOn, startOn, sessionsPerWeek, plannedWeeks } = input;
    const pupil = await plans.pupil();
    app.clock.set(atNoon(asOf));
    const id = await begun(pupil, 'BND-DECODE-01', {
      ...{ startOn, sessionsPerWeek, plannedWeeks, schoolYear: '2026-2027' },
    });
    for (const day of deliveredOn) await deliver(pupil, { deliveredOn: day });
    const row = await plans.row(pupil, id);
    const counted = await inContext(services.db, { organizationId: pupil.organizationId }, async (trx) =>
      countDelivery(
        planOf(row, await deliveredDays(trx, pupil.organizationId, [id])),
        { weekend: [5, 6], holidays: new Set() },
        asOf,
        engines.fidelity,
      ),
    );
    const { gate } = engines.fidelity.gateOf(counted, true);
    const { weeks: _weeks, completeWeeks, ...numbers } = counted;
    assert.equal({ ...numbers, gate, completeWeeks }, expected);
  });
}

interface TrackInput {
  readonly calendar: { readonly weekend: number[]; readonly holidays: string[] };
  readonly asOf: string;
  readonly assignment: {
    readonly startOn: string;
    readonly sessionsPerWeek: number;
    readonly plannedWeeks: number;
    readonly deliveries: readonly string[];
  };
}

for (const { name, input, expected } of casesOf<TrackInput, Json>('track_status')) {
  test(`track: ${name}`, async () => {
    const { asOf, calendar, assignment } = input;
    const { startOn, sessionsPerWeek, plannedWeeks, deliveries } = assignment;
    const pupil = await plans.pupil();
    await owner('organization').where({ id: pupil.organizationId }).update(calendar);
    const plan = { startOn, sessionsPerWeek, plannedWeeks, schoolYear: '2026-2027' };
    const id = await begun(pupil, 'CSP-BROAD-01', { ...plan, objectType: 'COMPOSITE_SEQUENCE_PLAN' });
    for (const day of deliveries) {
      app.clock.set(atNoon(day));
      assert.is((await deliver(pupil, { bundle_id: 'CSP-BROAD-01' })).length, 1, day);
    }
    app.clock.set(atNoon(asOf));
    await checkAssignments(services, pupil.organizationId, app.clock.now());
    assert.is((await plans.row(pupil, id)).trackStatus, expected.trackStatus);
  });
}

test.run();
