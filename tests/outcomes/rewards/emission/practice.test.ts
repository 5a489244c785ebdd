// 60 §1: growth that practice has led to, over HTTP from the diagnostic to the ledger. The queue is the session, which has 200
// XP to give: three sub-skills and their three domains would be 210.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { practisingChild, right } from '../../../assessment/measurement/practice/practising.ts';
import { buildWorld } from '../../../harness/world.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { app } = world;
const { owner } = app.database;

test('statuses, domains and layer A, each of the queue that has brought them, and the queue full at 200', async () => {
  const { own } = await buildWorld(app);
  const child = await practisingChild(app, own);
  const sessionId = await child.finishDiagnostic();
  await world.settle(app.services);
  const practise = async () => {
    world.days(7);
    const { body } = await child.seed(sessionId);
    await child.workOff(right);
    await world.settle(app.services);
    return body.queueId;
  };
  const queues: string[] = [];
  for (let week = 0; week < 4; week += 1) queues.push(await practise());
  const [, , third, fourth] = queues;

  const of = (kind: string, type: string, queue: string | undefined, reached: string) => (code: string) =>
    [kind, code, type, `practice:${queue}`, reached].join(' ');
  const reported = (await world.events(child.user)).map(
    ({ sourceKind, subSkillCode, domainCode, sourceType, sessionKey, reached }) =>
      [sourceKind, subSkillCode ?? domainCode, sourceType, sessionKey, reached].join(' '),
  );
  const codes = ['PA_BLEND', 'LK_SOUND', 'DEC_SYLLABLE'];
  assert.equal(reported, [
    ...codes.map(of('skill_status_transition', 'skill_snapshot', third, 'adequate')),
    ...['PA', 'LK', 'DEC'].map(of('domain_status_escalation', 'domain_snapshot', third, 'adequate')),
    ...codes.map(of('subskill_state_up', 'skill_state', fourth, 'on_track')),
  ]);

  const credits = (await world.rows('xp_transaction', child.user)).filter(({ kind }) => kind === 'credit');
  assert.equal(
    credits.map(({ amount, cappedFrom, sessionKey }) => [amount, cappedFrom, sessionKey]),
    [
      ...[20, 20, 20, 50, 50].map((amount) => [amount, null, `practice:${third}`]),
      [40, 50, `practice:${third}`],
      ...[20, 20, 20].map((amount) => [amount, null, `practice:${fourth}`]),
    ],
  );
  const [answered] = await owner('practice_response')
    .where({ queueId: third })
    .orderBy('receivedAt', 'desc')
    .select('receivedAt');
  const [first] = await world.events(child.user);
  assert.is(first?.occurredAt, new Date(answered.receivedAt).toISOString(), 'when the last answer was stored');
});

test.run();
