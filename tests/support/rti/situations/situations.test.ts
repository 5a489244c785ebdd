// timeout: 180s
// Situations of students: never measured, in need, moved, with readings and assignments; numbers computed by hand from the
// contract (51 §4.2, §4.3).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { rtiSituationsOf } from '#support/rti/situations/situations.ts';
import { countRoundTrips } from '../../../harness/statements/round-trips.ts';
import { allRight, type Pupil, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { useKnown } from './known.ts';

const test = suite('situations of tiers and alerts');
const known = useKnown(test);
const { plans, situation, moved, insert, reads, at } = known;
const { app, services } = plans.shell;
const trips = countRoundTrips(test, app.database.appUrl, /^insert into rate_limit as w |rule_activation/);

test('a student who was never measured: the first tier since the first enrollment, and what to measure', async () => {
  const pupil = await plans.classmate(await plans.pupil(), null);
  const found = await situation(pupil);
  assert.equal([found.tier, found.movedOn, found.halted, found.dataIncomplete], [1, null, false, true]);
  assert.is(found.nextRecommendedDataAction, 'run_diagnostic');
  assert.equal([found.fidelity.planned, found.fidelity.rate, found.fidelity.gate], [0, null, 'not_applicable']);
  assert.equal([found.progress, found.pointsSinceTier, found.strongCount], ['unknown', 0, 0]);
  assert.is(found.enrollment?.classId, pupil.classRow.id);
  const { organizationId } = pupil;
  const enrolled = await inContext(app.database.owner, { organizationId }, (trx) =>
    trx('enrollment').where({ organizationId, studentId: pupil.id }).first('enrolledFrom'),
  );
  assert.is(found.tierSince, enrolled.enrolledFrom);
});

test('roles in need are counted from the newest run, whatever the profile is called', async () => {
  const pupil = await plans.pupil(wordsWrong);
  const narrow = await situation(pupil);
  assert.equal([narrow.broadCount, narrow.strongCount], [0, 1]);
  assert.is(narrow.severeTile, narrow.profile.modifiers.includes('SEVERE_TILE'));
  app.clock.advance(60_000);
  await plans.measure(pupil, { PA_BLEND: 'UUUU' }, 5);
  const found = await situation(pupil);
  assert.is(found.strongCount, 2);
  assert.equal(found.alertFacts.strongCount, 2);
  const well = await plans.pupil(allRight);
  const { broadCount, strongCount, severeTile } = await situation(well);
  assert.equal({ broadCount, strongCount, severeTile }, { broadCount: 0, strongCount: 0, severeTile: false });
});

test('weeks in the tier are complete weeks since the newest movement, those of a review since the newest decision', async () => {
  const pupil = await plans.pupil();
  await moved(pupil, 1, 2, '2025-11-30');
  const first = await situation(pupil);
  // Weeks of 30 November, 7, 14, 21 and 28 December and 4 January.
  assert.equal([first.tier, first.tierSince, first.weeksInTier, first.reviewWeeks], [2, '2025-11-30', 6, 6]);
  await decided(pupil, '2025-12-21', '2025-12-22T08:00:00.000Z');
  await decided(pupil, '2025-12-14', '2025-12-15T08:00:00.000Z');
  const { reviewFrom, reviewWeeks, weeksInTier } = await situation(pupil);
  assert.equal([reviewFrom, reviewWeeks, weeksInTier], ['2025-12-21', 3, 6]);
  // Four instructional days of the week of 4 January.
  await moved(pupil, 2, 3, '2026-01-05');
  const after = await situation(pupil);
  assert.equal([after.tier, after.reviewFrom, after.weeksInTier], [3, '2026-01-05', 1]);
});

const decided = (pupil: Pupil, effectiveOn: string, committedAt: string) =>
  insert(pupil, 'rti_decision', {
    ...{ id: newId(), schoolYear: '2025-2026', recommendationId: 'x', decision: 'maintain', fromTier: 2, toTier: 2 },
    ...{ recommendedDecision: 'maintain', effectiveOn, committedAt, decidedBy: pupil.teacher.id },
    ...{ recommendation: '{}', facts: '{}', ruleVersions: '{}' },
  });

const baseline = { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 };
const falling = { '2025-12-03': 13, '2025-12-10': 12, '2025-12-17': 11 };

test('response by repeated measure: three monitoring points since the tier began, of the role that is worked on', async () => {
  const pupil = await plans.pupil();
  await reads(pupil, baseline);
  await moved(pupil, 1, 2, '2025-12-03');
  assert.equal(response(await situation(pupil)), ['unknown', 0]);
  await reads(pupil, { ...falling });
  assert.equal(response(await situation(pupil)), ['below', 3]);
});

test('points from before the tier began do not count', async () => {
  const pupil = await plans.pupil();
  await reads(pupil, { ...baseline, ...falling });
  await moved(pupil, 1, 2, '2025-12-04');
  assert.equal(response(await situation(pupil)), ['unknown', 2]);
});

const response = ({ progress, pointsSinceTier }: Awaited<ReturnType<typeof situation>>) => [progress, pointsSinceTier];

test('an assignment with a gate since the tier began gives the role in focus; one paused throughout does not', async () => {
  const pupil = await plans.pupil();
  await reads(pupil, { ...baseline, ...falling });
  await moved(pupil, 1, 2, '2025-11-30');
  const id = await plans.given(pupil, { startOn: '2025-12-07' });
  assert.is((await situation(pupil)).progress, 'below');
  await plans.change(pupil, id, { bundleId: 'BND-LANGUAGE-01' });
  assert.is((await situation(pupil)).progress, 'unknown');
  await plans.change(pupil, id, { pauses: JSON.stringify([{ from: '2025-12-07', to: null }]) });
  assert.is((await situation(pupil)).progress, 'below');
});

test('what was delivered since the tier began is pooled into it', async () => {
  at('2025-12-08');
  const pupil = await plans.pupil();
  await plans.given(pupil, { startOn: '2025-12-07' });
  for (const day of ['2025-12-08', '2025-12-09', '2025-12-10']) await known.deliver(pupil, { deliveredOn: day });
  at('2025-12-15');
  const { fidelity, alertFacts } = await situation(pupil);
  assert.equal([fidelity.planned, fidelity.credited, fidelity.gate], [3, 3, 'pass']);
  assert.equal([alertFacts.gate, alertFacts.deliveredWeeks], ['pass', 1]);
});

test('a class is asked for in as many statements as one student', async () => {
  const pupil = await plans.pupil();
  const others = [];
  for (let more = 0; more < 6; more += 1) others.push(await plans.classmate(pupil));
  const { organizationId } = pupil;
  const costs: number[] = [];
  for (const some of [[pupil], [pupil, ...others]]) {
    const question = { organizationId, studentIds: some.map(({ id }) => id), now: app.clock.now() };
    trips.restart();
    const found = await inContext(services.db, { organizationId }, (trx) => rtiSituationsOf(trx, services, question));
    assert.is(found.situations.size, some.length);
    costs.push(trips.since().statements.length);
  }
  assert.is(new Set(costs).size, 1, JSON.stringify(costs));
});

test.run();
