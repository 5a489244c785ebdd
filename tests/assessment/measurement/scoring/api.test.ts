// Operations for staff: reading a session, and replaying its estimates.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { child, type ErrorBody, wrongIndex } from '../diagnostics/child.ts';

const test = suite('engine over HTTP');
/** The expected values were computed with the first bank. */
const app = useApp(test, { content: { bankVersion: 1 } });
let world: World;
let sessionId: string;

test.before(async () => {
  world = await buildWorld(app);
  const kid = child(app, world.own.people.STUDENT);
  sessionId = (await kid.start()).body.sessionId;
  await kid.answerMany(sessionId, 5);
  await kid.answerMany(sessionId, 6, wrongIndex);
});

const teacher = () => ({ token: world.own.people.TEACHER.token });
const score = (body: object) => app.post<Record<string, unknown>>('/api/engine/score', body, teacher());
const cell = { subSkillCode: 'LK_SOUND', gradeBand: 'G12' };

test('score: three answers give a theta and a next item, and nothing is written', async () => {
  const before = await app.database.owner('outbox').count('* as rows').first();
  const { status, body } = await score({
    ...cell,
    responses: [
      { itemId: 'LK_SOUND-G12-04', correct: true },
      { itemId: 'LK_SOUND-G12-06', correct: true },
      { itemId: 'LK_SOUND-G12-09', correct: false },
    ],
  });
  assert.is(status, 200);
  assert.is(body.outcome, 'scored');
  assert.is(body.n, 3);
  assert.is(body.calibrationProvisional, true);
  assert.is(body.calibrationVersion, 'CAL@1');
  assert.match(String(body.nextItemId), /^LK_SOUND-G12-\d\d$/);
  assert.equal(await app.database.owner('outbox').count('* as rows').first(), before);
});

test('score: fewer than three answers give no theta, but a next item', async () => {
  const { body } = await score({ ...cell, responses: [{ itemId: 'LK_SOUND-G12-06', correct: true }] });
  assert.is(body.outcome, 'insufficient_data');
  assert.is(body.newTheta, null);
  assert.is(body.newSE, null);
  assert.is.not(body.nextItemId, null);
});

test('score: without eligible items the answer is no_eligible_item', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `LK_SOUND-G12-${String(index + 1).padStart(2, '0')}`);
  const { body } = await score({ ...cell, responses: ids.map((itemId) => ({ itemId, correct: true })) });
  assert.is(body.outcome, 'no_eligible_item');
  assert.is(body.nextItemId, null);
  assert.is(body.selectionTier, null);
});

test('score: items seen lately come in tiers 4 to 6', async () => {
  const seenItemIds = Array.from({ length: 12 }, (_, index) => `LK_SOUND-G12-${String(index + 1).padStart(2, '0')}`);
  const { body } = await score({ ...cell, responses: [], seenItemIds });
  assert.is(body.selectionTier, 4);
});

test('score: unknown item, another sub-skill’s, twice the same, a prior out of range are 422', async () => {
  const bad = [
    { ...cell, responses: [{ itemId: 'nope', correct: true }] },
    { ...cell, responses: [{ itemId: 'DEC_WORD-G12-01', correct: true }] },
    { ...cell, responses: [1, 2].map(() => ({ itemId: 'LK_SOUND-G12-01', correct: true })) },
    { ...cell, responses: [{ itemId: 'LK_SOUND-G12-01', selectedOptionIndex: 3 }] },
    { ...cell, responses: [], priorTheta: 4.1 },
    { ...cell, responses: [], priorSE: 0.29 },
    { ...cell, subSkillCode: 'NOPE', responses: [] },
  ];
  for (const body of bad) assert.is((await score(body)).status, 422, JSON.stringify(body));
});

test('a session that is not finished cannot be replayed', async () => {
  const refused = await app.post<ErrorBody>(`/api/engine/replay/${sessionId}`, {}, teacher());
  assert.is(refused.status, 409);
  assert.is(refused.body.details?.[0]?.issue, 'not_finished');
});

test('a finished session replays to equal estimates, and shows item ids to staff', async () => {
  await child(app, world.own.people.STUDENT).finish(sessionId);
  const read = await app.get<{ estimates: { subSkillCode: string; n: number }[]; responses: { itemId: string }[] }>(
    `/api/engine/sessions/${sessionId}`,
    teacher(),
  );
  assert.is(read.status, 200);
  assert.is(read.body.responses.length, 11);
  assert.match(read.body.responses[0]?.itemId ?? '', /^LK_SOUND-G12-\d\d$/);
  const replay = await app.post<{ match: boolean; mismatches: unknown[]; stored: unknown; replayed: unknown }>(
    `/api/engine/replay/${sessionId}`,
    {},
    teacher(),
  );
  assert.is(replay.body.match, true);
  assert.equal(replay.body.replayed, replay.body.stored);
  assert.equal(read.body.estimates, replay.body.stored);
});

test('replay reports an estimate that differs from the answers', async () => {
  await app.database.owner.transaction(async (trx) => {
    await trx.raw('alter table diagnostic_estimate disable trigger diagnostic_estimate_append_only');
    await trx('diagnosticEstimate').where({ sessionId, subSkillCode: 'LK_SOUND' }).update({ theta: 0.1234 });
    await trx.raw('alter table diagnostic_estimate enable trigger diagnostic_estimate_append_only');
  });
  const { body } = await app.post<{
    match: boolean;
    mismatches: { subSkillCode: string; field: string; stored: unknown }[];
  }>(`/api/engine/replay/${sessionId}`, {}, teacher());
  assert.is(body.match, false);
  assert.is(body.mismatches.length, 1);
  assert.is(body.mismatches[0]?.field, 'theta');
  assert.is(body.mismatches[0]?.stored, 0.1234);
});

test('sessions of a student, newest first, page by page', async () => {
  const { body } = await app.get<{ items: { sessionId: string; answered: number }[]; nextCursor: string | null }>(
    `/api/engine/sessions/by-student/${world.own.people.STUDENT.id}?limit=1`,
    teacher(),
  );
  assert.equal(
    body.items.map((item) => [item.sessionId, item.answered]),
    [[sessionId, 11]],
  );
  assert.is(body.nextCursor, null);
});

test('teachers of other classes and principals are 403, other organizations 404', async () => {
  for (const [person, status] of [
    [world.own.people['TEACHER elsewhere'], 403],
    [world.own.people.PRINCIPAL, 403],
    [world.own.people.STUDENT, 403],
    [world.own.people.ADMIN, 200],
    [world.superAdmin, 200],
    [world.other.people.TEACHER, 404],
  ] as const) {
    const { status: got } = await app.get(`/api/engine/sessions/${sessionId}`, { token: person.token });
    assert.is(got, status, person.primaryPersona);
  }
});

test.run();
