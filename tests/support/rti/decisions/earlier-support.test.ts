// timeout: 120s
// A first escalation of a student who had the support before: dated from the first day of the school year on.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { signIn } from '../../../harness/factories.ts';
import { type Json, type Pupil, reported, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { overruled, pathOf, useDeciding } from './world.ts';

const test = suite('support before the decision');
const { plans, evaluate, recommendation, commit, decisions, written, moved, get } = useDeciding(test);
const { app } = plans.shell;
const { owner } = app.database;

/** Today is 2026-01-12; the school year began on 2025-08-01 and the enrollment on 2025-08-31. */
async function inNeed(): Promise<Pupil> {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await evaluate(pupil);
  return pupil;
}
const earlier = { decision: 'escalate', effectiveReason: 'earlier_support' };

async function refused(pupil: Pupil, body: Json, field: string, issue: string): Promise<void> {
  const before = await written(pupil);
  const reply = await commit(pupil, body);
  assert.equal(reported(reply), [422, 'VALIDATION_ERROR', `${field} ${issue}`], JSON.stringify(body));
  assert.equal(await written(pupil), before);
}

test('before the enrollment, and the tier counts from that day', async () => {
  const pupil = await inNeed();
  await refused(pupil, { decision: 'escalate', effectiveOn: '2025-08-03' }, 'effectiveOn', 'out_of_range');
  const { status, body } = await commit(pupil, { ...earlier, effectiveOn: '2025-08-03' });
  assert.is(status, 201, JSON.stringify(body));
  assert.equal(
    [body.decision, body.fromTier, body.toTier, body.effectiveOn, body.effectiveReason],
    ['escalate', 1, 2, '2025-08-03', 'earlier_support'],
  );
  const [row] = await decisions(pupil);
  assert.equal([row?.effectiveOn, row?.effectiveReason], ['2025-08-03', 'earlier_support']);
  const standing = (await get(pupil, `${pathOf(pupil)}/status`)).body;
  assert.equal([standing.tier, standing.tierSince], [2, '2025-08-03']);
  // Sundays from 2025-08-03 to 2026-01-04.
  assert.is(standing.weeksInTier, 23);
  const listed = (await get(pupil, `${pathOf(pupil)}/decisions`)).body.items as Json[];
  assert.equal(listed[0], body);
});

test('from the first day of the school year to today, which is the default', async () => {
  for (const effectiveOn of ['2025-08-01', '2026-01-12', undefined]) {
    const { status, body } = await commit(await inNeed(), { ...earlier, ...(effectiveOn && { effectiveOn }) });
    assert.equal([status, body.effectiveOn], [201, effectiveOn ?? '2026-01-12']);
  }
  const pupil = await inNeed();
  for (const effectiveOn of ['2025-07-31', '2026-01-13', '2026-08-01']) {
    await refused(pupil, { ...earlier, effectiveOn }, 'effectiveOn', 'out_of_range');
  }
});

test('only an escalation, and only the first movement', async () => {
  const pupil = await inNeed();
  for (const decision of ['maintain', 'defer', 'de_escalate']) {
    for (const effectiveOn of ['2025-08-03', '2025-07-31', undefined]) {
      const body = { ...earlier, ...overruled, decision, ...(effectiveOn && { effectiveOn }) };
      await refused(pupil, body, 'effectiveReason', 'not_applicable');
    }
  }
  await moved(pupil, 1, 2, '2026-01-05');
  await moved(pupil, 2, 1, '2026-01-06');
  await refused(pupil, { ...earlier, effectiveOn: '2026-01-07' }, 'effectiveReason', 'not_applicable');
  const other = await commit(await inNeed(), { ...earlier, effectiveReason: 'later_support' });
  assert.equal([other.status, other.body.code], [422, 'VALIDATION_ERROR']);
});

test('a refused day precedes a halt and a student of no class', async () => {
  const pupil = await inNeed();
  app.clock.advance(60_000);
  await plans.measure(pupil, { LK_FORM: 'CCC' }, 9);
  await refused(pupil, { ...earlier, effectiveOn: '2025-07-31' }, 'effectiveOn', 'out_of_range');
  assert.is((await commit(pupil, { ...earlier, effectiveOn: '2025-08-03' })).body.outcome, 'do_not_decide_yet');
});

test('without it the reason is null', async () => {
  const pupil = await inNeed();
  assert.is((await commit(pupil, { decision: 'escalate' })).body.effectiveReason, null);
});

test('a repeated request is answered with the same decision, and the audit keeps the reason', async () => {
  const pupil = await inNeed();
  const token = await signIn(app, pupil.teacher);
  const { recommendationId } = await recommendation(pupil);
  const body = { ...earlier, recommendationId, effectiveOn: '2025-08-03' };
  const headers = { 'Idempotency-Key': newId() };
  const [first, second] = [
    await app.request<Json>('POST', `${pathOf(pupil)}/decisions`, { token, body, headers }),
    await app.request<Json>('POST', `${pathOf(pupil)}/decisions`, { token, body, headers }),
  ];
  assert.equal([first.status, second.status], [201, 201]);
  assert.equal(second.body, first.body);
  assert.is((await decisions(pupil)).length, 1);
  const entries: Json[] = await inContext(owner, { organizationId: pupil.organizationId }, (trx) =>
    trx('audit_entry').where({ organizationId: pupil.organizationId, entity: 'rti_decision' }),
  );
  assert.ok(JSON.stringify(entries).includes('earlier_support'), JSON.stringify(entries));
});

test.run();
