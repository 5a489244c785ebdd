// timeout: 120s
// The data room: all data about a student's support on one page, equal to that of other operations.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pupil } from '../../interventions/workflow/draft-bodies.ts';
import { enough, sevenWeeksAgo, useCouncil } from '../council.ts';
import { type Json, made } from '../desk.ts';

const test = suite('the data room');
const council = useCouncil(test);
const { plans } = council;

const read = async (pupil: Pupil, path: string): Promise<Json> => {
  const reply = await council.get(pupil, path);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
};
const roomOf = (pupil: Pupil) => read(pupil, `/api/students/${pupil.id}/data-room`);

test('a student with a history: tier, alert, recommendation, delivery, trend, assignments, packets, evidence, phases', async () => {
  const pupil = await council.supported(enough);
  const { packetId } = made(await council.open(pupil.teacher, pupil, 'intensive_review'));
  const room = await roomOf(pupil);
  const [status, recommendation, tracker, evidence, profile] = [
    await read(pupil, `/api/rti/students/${pupil.id}/status`),
    await read(pupil, `/api/rti/students/${pupil.id}/recommendation`),
    await read(pupil, `/api/students/${pupil.id}/fidelity-tracker`),
    await read(pupil, `/api/students/${pupil.id}/data-room/evidence?limit=100`),
    await read(pupil, `/api/students/${pupil.id}/profile`),
  ];
  const { tier, tierSince, weeksInTier, openAlert } = room;
  assert.equal([room.studentId, tier, tierSince, weeksInTier], [pupil.id, 2, sevenWeeksAgo, 7]);
  assert.equal(openAlert, status.openAlert);
  assert.is((openAlert as Json).kind, 'Intensive_Review');
  assert.equal(room.recommendation, recommendation);
  assert.equal(room.fidelity, tracker.pooled);
  assert.equal(room.assignments, tracker.assignments);
  const { outcome, profileCode, modifiers } = profile;
  assert.equal(room.profile, { outcome, profileCode, modifiers });
  assert.equal(room.trends, [{ measure: 'ORF_WCPM', trendType: 'trend_below_goal', points: 3 }]);
  assert.equal(room.openPackets, [{ packetId, reviewType: 'intensive_review', status: 'draft' }]);
  const counts: Record<string, number> = {};
  for (const { type } of evidence.items as readonly { type: string }[]) counts[type] = (counts[type] ?? 0) + 1;
  assert.is(evidence.nextCursor, null);
  assert.equal(room.evidenceCounts, counts);
  const phases = room.phases as readonly Json[];
  assert.equal(phases.at(-1), { from: sevenWeeksAgo, to: null, tier: 2, bundle_id: 'BND-DECODE-01' });
  assert.ok(phases.slice(0, -1).every((phase) => phase.tier === 1 && phase.bundle_id === null));
});

test('a student who was never measured has an empty one', async () => {
  const pupil = await plans.pupil();
  const never = await plans.classmate(pupil, null);
  const room = await roomOf(never);
  assert.equal(room.profile, { outcome: 'DATA_INCOMPLETE', profileCode: 'DATA_INCOMPLETE', modifiers: [] });
  assert.equal([room.tier, room.openAlert, room.trends, room.assignments, room.openPackets], [1, null, [], [], []]);
  assert.equal(room.evidenceCounts, {});
  assert.is((room.recommendation as Json).outcome, 'do_not_decide_yet');
});

test.run();
