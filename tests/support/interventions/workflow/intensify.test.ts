// timeout: 120s
// What follows a plan (contract 53 §2): more support when the tier rose after it began, a look at the measurement when its
// goals were met and the need is still strong, and the same bundle again with other support.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { signIn } from '../../../harness/factories.ts';
import {
  adjusted,
  allRight,
  confirmed,
  type Json,
  monday,
  type Pupil,
  reported,
  today,
  usePlans,
} from './draft-bodies.ts';

const test = suite('what follows a plan');
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;
const dayMs = 86_400_000;

const recommendation = async ({ id, teacher }: Pupil): Promise<Json> => {
  const token = await signIn(app, teacher);
  const { status, body } = await app.get<Json>(`/api/students/${id}/bundle-recommendation`, { token });
  assert.is(status, 200, JSON.stringify(body));
  return body;
};
const shown = (body: Json) => [
  ...[body.ruleId, body.action, body.recommended_bundle_id, body.scaffold_tier, body.compatible_delivery_mode],
];

async function move({ id, organizationId, teacher }: Pupil, fromTier: number, toTier: number): Promise<void> {
  await inContext(owner, { organizationId }, async (trx) => {
    await trx('tier_movement').insert({
      ...{ organizationId, studentId: id, schoolYear: '2025-2026', fromTier, toTier, effectiveOn: today },
      ...{ sourceType: 'rti_decision', sourceId: newId(), decidedBy: teacher.id },
      ...{ committedAt: app.clock.now(), ruleVersions: '{}' },
    });
  });
}

test.before(() => app.clock.set(monday));

test('the tier rises while a plan is open: the same plan is given again with more support, without a reason, once', async () => {
  const pupil = await plans.pupil();
  await move(pupil, 1, 2);
  app.clock.advance(1000);
  const assignmentId = await plans.given(pupil);
  const before = await plans.row(pupil, assignmentId);
  assert.equal([before.deliveryMode, before.sessionsPerWeek], ['teacher_led_small_group', 3]);
  const continued = ['BRR-06', 'continue', 'BND-DECODE-01', 'Level_3', 'teacher_led_small_group'];
  assert.equal(shown(await recommendation(pupil)), continued);
  app.clock.advance(1000);
  await move(pupil, 2, 3);
  const intensified = ['BRR-22', 'intensify', 'BND-DECODE-01', 'Level_3', 'teacher_led_micro_group'];
  assert.equal(shown(await recommendation(pupil)), intensified);
  const activated = await plans.activate(pupil);
  assert.equal(reported(activated), [409, 'CONFLICT', 'bundle_id already_open']);
  app.clock.advance(1000);
  const other = { assignmentId, action: 'replace', bundle_id: 'BND-LETTER-01' };
  assert.equal(reported(await plans.review(pupil, other)), [409, 'CONFLICT', 'bundle_id confirmation_required']);
  const reply = await plans.review(pupil, { assignmentId, action: 'replace', bundle_id: 'BND-DECODE-01' });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  const { superseded, assignment } = reply.body as Record<'superseded' | 'assignment', Json>;
  assert.equal([superseded.assignmentId, superseded.state], [assignmentId, 'superseded']);
  assert.equal(
    [assignment.scaffoldTier, assignment.deliveryMode, assignment.sessionsPerWeek, assignment.currentStepNo],
    ['Level_3', 'teacher_led_micro_group', 5, 1],
  );
  assert.is(assignment.overrideCode, null);
  assert.equal(shown(assignment.recommendation as Json), intensified);
  assert.equal(shown(await recommendation(pupil)), ['BRR-06', 'continue', ...intensified.slice(2)]);
  const again = { assignmentId: assignment.assignmentId, action: 'replace', bundle_id: 'BND-DECODE-01' };
  assert.equal(reported(await plans.review(pupil, again)), [409, 'CONFLICT', 'bundle_id already_open']);
});

test('replace by the same bundle: other support is compared with the recommendation without the plan', async () => {
  const pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil);
  const same = { assignmentId, action: 'replace', bundle_id: 'BND-DECODE-01' };
  assert.equal(reported(await plans.review(pupil, same)), [409, 'CONFLICT', 'bundle_id already_open']);
  const named = { ...same, scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group' };
  assert.equal(reported(await plans.review(pupil, named)), [409, 'CONFLICT', 'bundle_id already_open']);
  const less = { ...same, scaffoldTier: 'Level_2' };
  const refusals = [
    [less, [409, 'CONFLICT', 'scaffoldTier confirmation_required']],
    [{ ...same, deliveryMode: 'digital_self_paced' }, [422, 'VALIDATION_ERROR', 'deliveryMode mode_not_offered']],
  ] as const;
  for (const [body, expected] of refusals) assert.equal(reported(await plans.review(pupil, body)), expected);
  await plans.change(pupil, assignmentId, { currentStepNo: 4 });
  const reply = await plans.review(pupil, { ...less, ...adjusted });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  const { assignment } = reply.body as Record<'assignment', Json>;
  assert.equal([assignment.scaffoldTier, assignment.currentStepNo], ['Level_2', 1]);
  const back = { assignmentId: assignment.assignmentId, action: 'replace', bundle_id: 'BND-DECODE-01' };
  assert.is((await plans.review(pupil, back)).status, 200, 'what is recommended needs no reason');
});

test('goals met and still weak: the measurement is looked at, a second weak one leads to a plan again', async () => {
  const pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil);
  await plans.change(pupil, assignmentId, {
    ...{ state: 'completed', endedOn: today, completionResult: 'goals_met', currentStepNo: null },
    trackStatus: 'not_applicable',
  });
  assert.equal(shown(await recommendation(pupil)).slice(0, 2), ['BRR-20', 'collect_data']);
  const weak = { ...allRight, DEC_WORD: 'UUUUU' };
  app.clock.advance(dayMs);
  await plans.measure(pupil, weak, 11);
  assert.equal(shown(await recommendation(pupil)).slice(0, 3), ['BRR-23', 'clarify', 'DCP-METADATA-01']);
  app.clock.advance(dayMs);
  await plans.measure(pupil, weak, 21);
  assert.equal(shown(await recommendation(pupil)).slice(0, 3), ['BRR-12A', 'activate', 'BND-DECODE-01']);
});

test('no_target: light support without an anchor role, by activation and by replacement; with one it is given', async () => {
  const onTrack = await plans.pupil(allRight);
  const light = { bundle_id: 'LSA-MONITOR-01', ...confirmed };
  const noTarget = [422, 'VALIDATION_ERROR', 'bundle_id no_target'];
  assert.equal(reported(await plans.activate(onTrack, light)), noTarget);
  assert.equal(
    reported(await plans.activate(onTrack, { bundle_id: light.bundle_id })),
    noTarget,
    'before confirmation',
  );
  const halted = await plans.pupil({ DEC_WORD: 'CC' });
  assert.is((await plans.activate(halted, light)).status, 200, 'a halt comes first');
  const assignmentId = await plans.given(onTrack, { bundle_id: 'SUP-DECODE-01', ...confirmed });
  const replace = { assignmentId, action: 'replace', ...light };
  const before = await plans.written(onTrack);
  assert.equal(reported(await plans.review(onTrack, replace)), noTarget);
  assert.equal(await plans.written(onTrack), before);
  const weak = await plans.pupil();
  assert.is((await plans.activate(weak, light)).status, 201);
});

test.run();
