// timeout: 120s
// Why a child was praised for what was measured: the row, what it is better than, the evidence that was new, XP and badges.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExplainedMastery } from '#outcomes/rewards/explain/schemas.ts';
import { teacher, timeUp } from '../../../assessment/measurement/fluency/teacher.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { allRight, oneNeed } from '../../../support/rti/rti-world.ts';
import { useGrown } from '../grown.ts';
import { explainsOf, sound } from './explained.ts';

const test = suite('explain growth that was measured');
const world = useGrown(test);
const { app } = world;
const { owner } = app.database;
const explain = explainsOf(app);

const onlyWords = { DEC_WORD: 'CCCCCCCC' };
const of = (all: readonly ExplainedMastery[], kind: string) => {
  const found = all.find(({ result }) => result.sourceKind === kind);
  assert.ok(found, `${kind} is not among ${all.map(({ result }) => result.sourceKind)}`);
  return found;
};

test('a status that rose, of a sub-skill and then of its domain: both rows, the session, XP and the badge', async () => {
  const student = await world.student(await world.room());
  await world.grow([student], oneNeed);
  world.days(20);
  await world.grow([student], onlyWords);
  const [skill, domain] = await explain.all(student);
  const rows = await owner('sse_skill_snapshot')
    .where({ studentId: student.id, subSkillCode: 'DEC_WORD' })
    .orderBy('id');
  const domains = await owner('sse_domain_snapshot').where({ studentId: student.id, domainCode: 'DEC' }).orderBy('id');
  const [session] = await owner('diagnostic_session').where({ studentId: student.id }).orderBy('finishedAt', 'desc');
  const evidence = { sessionKey: `diagnostic:${session.id}`, storedAt: session.finishedAt };
  assert.equal(skill?.from, {
    source: { type: 'skill_snapshot', id: String(rows[1].id), stampId: `skill:${rows[1].id}` },
    compared: { id: String(rows[0].id), stampId: `skill:${rows[0].id}`, value: 'weak_gateway' },
    evidence,
  });
  assert.equal(domain?.from, {
    source: { type: 'domain_snapshot', id: String(domains[1].id), stampId: `domain:${domains[1].id}` },
    compared: { id: String(domains[0].id), stampId: `domain:${domains[0].id}`, value: 'weak_gateway' },
    evidence,
  });
  assert.equal([skill?.ruleVersions, skill?.result.reached], [{ 'gamification/rewards': 1 }, 'monitor_gateway']);
  assert.equal(domain?.award.xp, { ofKind: 50, sessionCap: 200, creditedBefore: 20, credited: 50 });
  assert.equal(
    domain?.award.badges.map(({ code, outcome, reached }) => [code, outcome, reached]),
    [
      ['first_step', 'awarded_before', 2],
      ['sound_explorer', 'not_met', 0],
      ['new_bloom', 'awarded', 1],
    ],
  );
  assert.equal(
    domain?.booked.xp.map(({ kind, amount }) => `${kind} ${amount}`),
    ['credit 50', 'badge_bonus 10'],
  );
  for (const stampId of [skill?.from.source.stampId, domain?.from.compared?.stampId]) {
    assert.is((await explain.ask(String(stampId))).status, 200, String(stampId));
  }
});

test('what happened later changes no explanation', async () => {
  const student = await world.student(await world.room());
  await world.grow([student], oneNeed);
  world.days(20);
  await world.grow([student], onlyWords);
  const before = await explain.all(student);
  for (const letters of [{ DEC_WORD: 'UUUUUUUU' }, { DEC_WORD: 'UUUUUUUU' }, onlyWords, { LK_FORM: 'CCC' }]) {
    world.days(20);
    await world.grow([student], letters);
  }
  assert.equal((await explain.all(student)).slice(0, before.length), before);
});

test('a state of layer A that rose names the state before, and its own stamp', async () => {
  const student = await world.student(await world.room());
  for (const letters of [oneNeed, allRight, onlyWords, onlyWords]) {
    await world.grow([student], letters);
    world.days(20);
  }
  const { from, result } = of(await explain.all(student), 'subskill_state_up');
  assert.equal([from.compared?.value, result.reached], ['monitoring', 'on_track']);
  for (const stampId of [from.source.stampId, from.compared?.stampId]) {
    assert.is((await explain.ask(String(stampId))).status, 200, String(stampId));
  }
});

async function read(hands: ReturnType<typeof teacher>, student: UserRow, passageId: string, words: number) {
  const { body, status } = await hands.start({ studentId: student.id, passageId });
  assert.is(status, 201, JSON.stringify(body));
  await hands.stop(body.assessmentId, timeUp(words - 1));
  return body.assessmentId;
}

test('a reading with a better verdict: the reading before it and its verdict', async () => {
  app.clock.set('2026-02-02T08:00:00.000Z');
  const room = await world.room();
  const student = await world.student(room);
  const hands = teacher(app, room.teacher);
  const first = await read(hands, student, 'ORF-G2-01', 5);
  world.days(1);
  const second = await read(hands, student, 'ORF-G2-02', 30);
  await world.source(await world.relay());
  const { from, result } = of(await explain.all(student), 'band_progression');
  assert.equal(from.source, { type: 'orf_assessment', id: second, stampId: null });
  assert.equal([from.compared, result.reached], [{ id: first, stampId: null, value: 'severe' }, 'meets']);
  assert.is(from.evidence.sessionKey, `orf:${second}`);
});

test('a trend above the goal: the trend of the probe, and the one before', async () => {
  const room = await world.room();
  const student = await world.student(room);
  app.clock.set('2026-03-04T08:00:00.000Z');
  const hands = teacher(app, room.teacher);
  const probes = [
    ...[
      ['2026-02-01', 14],
      ['2026-02-02', 12],
      ['2026-02-04', 15],
    ],
    ...[
      ['2026-02-18', 17],
      ['2026-02-25', 18],
      ['2026-03-04', 20],
    ],
  ] as const;
  for (const [at, [administeredOn, wordsAttempted]] of probes.entries()) {
    const passageId = `ORF-G2-0${at + 1}`;
    const body = { studentId: student.id, passageId, administeredOn, wordsAttempted, errors: 0, elapsedSeconds: 60 };
    assert.is((await hands.probe(body)).status, 201);
  }
  await world.source(await world.relay());
  const trends = (await owner('cbm_trend').where({ studentId: student.id }).orderBy('id')) as {
    readonly id: number;
    readonly probeId: number;
    readonly trendType: string;
  }[];
  const { from } = of(await explain.all(student), 'cbm_trend_above_goal');
  const at = trends.findIndex(({ probeId }) => String(probeId) === from.source.id);
  assert.is(trends[at]?.trendType, 'trend_above_goal');
  assert.is(from.source.stampId, `trend:${trends[at]?.id}`);
  const before = trends[at - 1];
  assert.equal(from.compared, { id: String(before?.id), stampId: `trend:${before?.id}`, value: before?.trendType });
});

test('a badge: its event, its condition with the count, what was asked before it; and one that was taken back', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.grow([student], oneNeed);
  world.days(20);
  await world.grow([student], onlyWords);
  const [first, second] = await world.rows('student_badge', student);
  const explainedBadge = await explain.badge(second?.id);
  assert.equal(explainedBadge.result, {
    ...{
      code: 'new_bloom',
      status: 'active',
      condition: { kind: 'skill_status_transition' },
      reached: 1,
      rescind: null,
    },
  });
  assert.equal(
    [
      explainedBadge.matchesStored,
      explainedBadge.from.masteryEvent.stampId,
      explainedBadge.from.masteryEvent.sourceKind,
    ],
    [true, `mastery:${second?.triggeringMasteryEventId}`, 'domain_status_escalation'],
  );
  assert.equal(
    explainedBadge.evaluated.map(({ code }) => code),
    ['first_step', 'sound_explorer', 'new_bloom'],
  );
  const token = await signIn(app, room.teacher);
  const rescind = await world.http.post(
    `/api/teachers/badges/${first?.id}/rescind`,
    { overrideCode: 'Gam_Award_Invalid_05' },
    { token },
  );
  assert.is(rescind.status, 200, JSON.stringify(rescind.body));
  const { result, booked, matchesStored } = await explain.badge(first?.id);
  assert.equal(result, {
    ...{ code: 'first_step', status: 'rescinded', condition: { events: 1 }, reached: 1 },
    rescind: {
      ...{ overrideCode: 'Gam_Award_Invalid_05', rescindedBy: room.teacher.id },
      recordedAt: app.clock.now().toISOString(),
    },
  });
  assert.equal(
    [matchesStored, booked.xp.map(({ kind, amount }) => `${kind} ${amount}`)],
    [true, ['badge_bonus 10', 'rescind -10']],
  );
  assert.equal((await explain.all(student))[0]?.checks, sound, 'the event stays what it was');
});

test('what is not there and what is no id are 404, and only the backoffice may ask', async () => {
  for (const kind of ['mastery', 'badge']) {
    for (const id of ['999999999', '0', 'x', '1.5', '9999999999999999']) {
      assert.is((await explain.ask(`${kind}:${id}`)).status, 404, `${kind}:${id}`);
    }
  }
  const room = await world.room();
  const { status } = await app.get('/api/admin/explain/mastery:1', { token: await signIn(app, room.teacher) });
  assert.is(status, 403);
});

test.run();
