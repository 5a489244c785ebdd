// Several people decide about one student at the same time: each decision sees the writes of the one before.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { signIn } from '../../../harness/factories.ts';
import { confirmed, type Json, monday, type Pupil, reported, usePlans } from './draft-bodies.ts';

const test = suite('decisions at once');
const plans = usePlans(test);
const { shell } = plans;
const { app } = shell;
const { owner } = app.database;

let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

async function openRows(): Promise<{ bundleId: string; state: string }[]> {
  const { assignments } = (await plans.written(pupil)) as { assignments: { bundleId: string; state: string }[] };
  return assignments.filter(({ state }) => ['scheduled', 'active', 'paused'].includes(state));
}

async function counted(topic: string): Promise<number> {
  return (await plans.events(pupil)).filter((event) => event.topic === topic).length;
}

test('eight activations of one bundle at once: one 201, the others already open', async () => {
  const token = await signIn(app, pupil.teacher);
  const replies = await times(8, () => plans.activate(pupil, {}, token));
  const refused = replies.filter(({ status }) => status !== 201).map(reported);
  assert.is(refused.length, 7);
  for (const one of refused) {
    // The open assignment is the recommended one, so the refusal names it alone.
    assert.equal(one, [409, 'CONFLICT', 'bundle_id already_open']);
  }
  assert.equal([(await openRows()).length, await counted('assignment.activated')], [1, 1]);
});

test('five bundles at once: two are assigned, the others refused', async () => {
  const bundles = ['SUP-PHON-01', 'SUP-LETTER-01', 'SUP-DECODE-01', 'BND-COMP-01', 'SUP-ENCODE-01'];
  const replies = await times(5, (at) => plans.activate(pupil, { bundle_id: bundles[at], ...confirmed }));
  const made = replies.filter(({ status }) => status === 201);
  const refused = replies.filter(({ status }) => status !== 201).map(reported);
  assert.equal([made.length, (await openRows()).length, await counted('assignment.activated')], [2, 2, 2]);
  for (const one of refused) assert.equal(one, [409, 'CONFLICT', 'bundle_id capacity']);
});

test('an activation against a stop: the second call sees the effect of the first', async () => {
  const assignmentId = await plans.given(pupil);
  const [again, stopped] = await Promise.all([
    plans.activate(pupil),
    plans.review(pupil, { assignmentId, action: 'stop', reasonCode: 'Need_Changed' }),
  ]);
  assert.is(stopped.status, 200);
  assert.ok([201, 409].includes(again.status), JSON.stringify(again.body));
  if (again.status === 409) assert.equal(reported(again), [409, 'CONFLICT', 'bundle_id already_open']);
  assert.is((await openRows()).length, again.status === 201 ? 1 : 0);
});

test('two replacements at once: one is made, the other finds no assignment to replace', async () => {
  const assignmentId = await plans.given(pupil);
  const replace = (bundle: string) =>
    plans.review(pupil, { assignmentId, action: 'replace', bundle_id: bundle, ...confirmed });
  const replies = await Promise.all([replace('SUP-DECODE-01'), replace('BND-COMP-01')]);
  const [made, refused] = replies.toSorted((a, b) => a.status - b.status);
  assert.is(made?.status, 200);
  assert.equal(refused && reported(refused), [409, 'CONFLICT', 'action invalid_transition']);
  assert.equal(
    (await openRows()).map(({ bundleId }) => bundleId),
    [((made?.body.assignment ?? {}) as Json).bundle_id],
  );
});

test('pauses, stops and completions at once: one ending, one event', async () => {
  const assignmentId = await plans.given(pupil);
  const moves = [
    { action: 'pause', reasonCode: 'School_Break' },
    { action: 'stop', reasonCode: 'Not_Suitable' },
    { action: 'complete', confirmOffRecommendation: true, overrideCode: 'Wfl_Plan_Adjustment_04' },
    { action: 'stop', reasonCode: 'Need_Changed' },
  ];
  const replies = await Promise.all(moves.map((move) => plans.review(pupil, { assignmentId, ...move })));
  for (const reply of replies) {
    if (reply.status !== 200) assert.equal(reported(reply), [409, 'CONFLICT', 'action invalid_transition']);
  }
  const { state } = await plans.row(pupil, assignmentId);
  assert.ok(['stopped', 'completed'].includes(state), state);
  assert.is(await counted('assignment.closed'), 1);
});

test('an activation that races a recompute decides by one of the two profiles, never by half of each', async () => {
  for (const round of [1, 2, 3]) {
    const one = await plans.classmate(pupil);
    app.clock.advance(60_000);
    const finishedAt = app.clock.now().toISOString();
    await shell.diagnostic(one, answersOf({ DEC_MULTI: 'CC' }), { finishedAt, announced: false });
    const [reply] = await Promise.all([plans.activate(one), shell.recompute(one)]);
    const { status, body } = reply;
    assert.ok(status === 201 || body.outcome === 'blocked_insufficient_evidence', `${round}: ${JSON.stringify(body)}`);
    if (status === 201) assert.is((body.recommendation as Json).ruleId, 'BRR-12A');
  }
});

test('what had to wait for the lock of the support is dated when it holds it', async () => {
  const assignmentId = await plans.given(pupil, { startOn: '2026-01-14' });
  app.clock.set('2026-01-14T08:00:00.000Z');
  const token = await signIn(app, pupil.teacher);
  const other = { bundle_id: 'SUP-PHON-01', ...confirmed };
  for (const work of [
    () => plans.activate(pupil, other, token),
    () => plans.review(pupil, { assignmentId, action: 'stop', reasonCode: 'Need_Changed' }, token),
  ]) {
    const before = (await reportedMoments()).length;
    const holder = await owner.transaction();
    await holder('student_support').where({ studentId: pupil.id }).forNoKeyUpdate();
    const working = work();
    await eventually('the work waits', async () => (await lockWaits(owner)) > 0);
    app.clock.advance(60_000);
    await holder.commit();
    const { status, body } = await working;
    assert.ok(status < 300, JSON.stringify(body));
    const written = (await reportedMoments()).slice(before);
    assert.equal([...new Set(written)], [app.clock.now().toISOString()]);
  }
});

const reportedMoments = (): Promise<string[]> =>
  owner('outbox')
    .whereRaw("payload ->> 'studentId' = ?", [String(pupil.id)])
    .orderBy('id')
    .pluck('created_at');

test.run();
