// timeout: 120s
// What a packet freezes for its document at assembly: the measure of the role in focus, the open plans and the rules. It is not
// in responses, and what happens later does not change it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { PacketFigures } from '#support/decision-packets/rows/figures.ts';
import { signIn } from '../../../harness/factories.ts';
import { confirmed, type Json, type Pupil, today, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { useDeciding } from '../../rti/decisions/world.ts';

const test = suite('figures of packets');
const { plans, evaluate, reads, get } = useDeciding(test);
const { app } = plans.shell;
const { owner } = app.database;

const baseline = { '2025-10-05': 20, '2025-10-06': 24, '2025-10-07': 22 };
const monitoring = { '2025-12-03': 25, '2025-12-10': 24, '2025-12-17': 26, '2026-01-05': 25 };
/** No passage is read twice within weeks. */
async function read(pupil: Pupil): Promise<void> {
  await reads(pupil, baseline);
  await reads(pupil, monitoring);
}

async function assemble(pupil: Pupil, body: Json): Promise<Json> {
  const token = await signIn(app, pupil.teacher);
  const reply = await app.post<Json>('/api/decision-packet-workflows/assemble', body, { token });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  assert.not.match(JSON.stringify(reply.body), /figures|plannedSessions|anchorDate/);
  return reply.body;
}

const figuresOf = async ({ organizationId }: Pupil, id: unknown): Promise<PacketFigures | null> =>
  inContext(owner, { organizationId }, async (trx) => (await trx('decision_packet').where({ id }).first()).figures);

test('the series with its aim line, the open plans, and the rules from the alert to the recommendation', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  const assignmentId = await plans.given(pupil);
  const ended = await plans.given(pupil, { bundle_id: 'SUP-LETTER-01', ...confirmed });
  await plans.change(pupil, ended, {
    state: 'stopped',
    endedOn: today,
    reasonCode: 'Need_Changed',
    trackStatus: 'not_applicable',
    // The newest plan is in focus.
    activatedAt: new Date(app.clock.now().getTime() - 1_000).toISOString(),
  });
  await read(pupil);
  await evaluate(pupil);
  const { packetId } = await assemble(pupil, { studentId: pupil.id, reviewType: 'tier_escalation' });
  const frozen = await figuresOf(pupil, packetId);
  const trend = (await get(pupil, `/api/cbm/trend/${pupil.id}?measureCode=ORF_WCPM`)).body;
  assert.is(frozen?.measure, 'ORF_WCPM');
  assert.equal(frozen?.series?.baseline, { score: 22, date: '2025-10-07' });
  assert.equal([frozen?.series?.goal, frozen?.series?.trendType], [trend.goal, trend.trendType]);
  assert.equal(
    frozen?.series?.points,
    (trend.points as Json[]).map(({ date, score, role, aim }) => ({ date, score, role, aim })),
  );
  assert.equal(
    frozen?.series?.points.map(({ date, score }) => [date, score]),
    Object.entries({ ...baseline, ...monitoring }),
  );
  const [plan] = frozen?.plans ?? [];
  assert.equal(
    [plan?.assignmentId, plan?.nameAr, plan?.state, plan?.currentStepNo],
    [assignmentId, 'حزمة فك الرمز: الصفان الأول والثاني', 'active', 1],
  );
  assert.equal(
    plan?.steps.map(({ plannedSessions, goalState }) => `${plannedSessions} ${goalState}`),
    [...['4 none', '4 none', '3 none', '3 none', '2 none'], ...Array.from({ length: 4 }, () => '2 pending')],
  );
  assert.equal(frozen?.ruleIds, ['RAL-04', 'DSF-99', 'TRC-06']);
  assert.is(frozen?.plans.length, 1, 'the other one was stopped');
});

test('later probes and plans change nothing until the packet is assembled again', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  const assignmentId = await plans.given(pupil);
  await read(pupil);
  const { packetId } = await assemble(pupil, { studentId: pupil.id, reviewType: 'tier_escalation' });
  const before = await figuresOf(pupil, packetId);
  await reads(pupil, { '2026-01-12': 30 });
  await plans.change(pupil, assignmentId, { currentStepNo: 3 });
  assert.equal(await figuresOf(pupil, packetId), before);
  await assemble(pupil, { packetId });
  const after = await figuresOf(pupil, packetId);
  assert.is(after?.series?.points.length, (before?.series?.points.length ?? 0) + 1);
  assert.is(after?.plans[0]?.currentStepNo, 3);
});

test('without a role in focus that is measured again and again, and without plans, there is little to freeze', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, DEC_WORD: 'CCCC', LIS_LITERAL: 'UUUU' });
  await read(pupil);
  const { packetId } = await assemble(pupil, { studentId: pupil.id, reviewType: 'tier_escalation' });
  const frozen = await figuresOf(pupil, packetId);
  assert.equal([frozen?.measure, frozen?.series, frozen?.plans], [null, null, []]);
});

test('a measure without a probe has no series, and a packet that was never assembled has no figures', async () => {
  const pupil = await plans.pupil();
  const { packetId } = await assemble(pupil, { studentId: pupil.id, reviewType: 'tier_escalation' });
  const frozen = await figuresOf(pupil, packetId);
  assert.equal([frozen?.measure, frozen?.series], ['ORF_WCPM', null]);
  const other = await plans.pupil();
  const token = await signIn(app, other.teacher);
  const path = `/api/students/${other.id}/decision-packets`;
  const draft = await app.post<Json>(path, { reviewType: 'tier_escalation' }, { token });
  assert.is(await figuresOf(other, draft.body.packetId), null);
});

test.run();
