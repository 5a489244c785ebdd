// The stored answers of a session: the finish stores them, evidence is equal without them, and only the owner may
// change them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { answerLists } from '#assessment/measurement/evidence/answer-lists.ts';
import { diagnosticEvidence } from '#assessment/measurement/evidence/diagnostics.ts';
import type { EvidenceRequest, StudentSession } from '#assessment/measurement/evidence/reader.ts';
import { pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import { inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { buildStudent, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { answersOf, buildDiagnostic } from '../../skill-status/evidence.ts';
import { child, rightIndex, type ServedBody, wrongIndex } from '../diagnostics/child.ts';
import { rowsRead } from './rows-read.ts';

const app = useApp(test, { ownStatements: true });
const { services } = app;
const { owner } = app.database;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const student = () => buildStudent(owner, world.own.classRow);

/** Answers right, wrong and skipped in turn, with different latencies. */
async function sat(count: number): Promise<{ user: UserRow; sessionId: string }> {
  const user = await student();
  const kid = child(app, { ...user, token: await signIn(app, user) });
  const { sessionId } = (await kid.start()).body;
  for (let at = 0; at < count; at++) {
    const served = (await kid.next(sessionId)).body.served as ServedBody;
    const latencyMs = 3_000 + 100 * at;
    app.clock.advance(latencyMs);
    const chosen = { selectedOptionIndex: at % 3 === 0 ? rightIndex(served) : wrongIndex(served) };
    const reaction = at % 3 === 2 ? { skipped: true } : chosen;
    const reply = await kid.answer(sessionId, { servedItemId: served.servedItemId, ...reaction, latencyMs });
    assert.is(reply.status, 200, JSON.stringify(reply.body));
  }
  assert.is((await kid.finish(sessionId)).status, 200);
  return { user, sessionId };
}

async function storedAndMade(sessionId: string): Promise<{ stored: string | null; made: string | null }> {
  const [row] = await rowsOf<{ stored: string | null; made: string | null }>(
    owner,
    `select s.answers::text as stored, ${answerLists()}::text as made from diagnostic_session s where s.id = :sessionId`,
    { sessionId },
  );
  assert.ok(row);
  return row;
}

const requestFor = (...users: readonly UserRow[]): EvidenceRequest => ({
  organizationId: world.own.classRow.organizationId,
  students: users.map(({ id }) => ({
    studentId: id,
    from: '2020-01-01T00:00:00.000Z',
    to: app.clock.now().toISOString(),
  })),
  itemBanks: services.itemBanks,
});

const evidence = (user: UserRow): Promise<StudentSession[]> =>
  inContext(services.db, { organizationId: world.own.classRow.organizationId }, async (trx) => {
    const { rules } = await services.rules.at(trx, app.clock.now());
    const request = requestFor(user);
    const [window] = request.students;
    assert.ok(window);
    return (await diagnosticEvidence(trx, request))(window, pipelineOf(rules));
  });

const forget = (sessionId: string) => owner('diagnostic_session').where({ id: sessionId }).update({ answers: null });

for (const count of [1, 3, 14]) {
  test(`the finish stores after ${count} answers exactly what the responses give, to the byte`, async () => {
    const { stored, made } = await storedAndMade((await sat(count)).sessionId);
    assert.is(stored, made);
    const [seqs, , , indexes, , latenciesMs] = JSON.parse(stored ?? '[]');
    assert.equal(
      seqs,
      Array.from({ length: count }, (_, at) => at + 1),
    );
    assert.equal(
      indexes.map((index: number | null) => index === null),
      seqs.map((seq: number) => seq % 3 === 0),
    );
    assert.is(latenciesMs.length, count);
  });
}

test('an item without an answer at the finish is in neither', async () => {
  const user = await student();
  const kid = child(app, { ...user, token: await signIn(app, user) });
  const { sessionId } = (await kid.start()).body;
  await kid.answerMany(sessionId, 2);
  await kid.next(sessionId);
  assert.is((await kid.finish(sessionId)).status, 200);
  const { stored, made } = await storedAndMade(sessionId);
  assert.is(stored, made);
  assert.equal(JSON.parse(stored ?? '[]')[0], [1, 2]);
});

test('a session without stored answers gives equal evidence', async () => {
  const { user, sessionId } = await sat(14);
  const before = await evidence(user);
  assert.is(before[0]?.responses.length, 14);
  await forget(sessionId);
  assert.equal(await evidence(user), before);
});

test('a finished session without any response is no evidence', async () => {
  const user = await student();
  const finishedAt = app.clock.now().toISOString();
  const sessionId = await buildDiagnostic(owner, user, answersOf({ LK_SOUND: 'C' }), { finishedAt });
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    await trx('diagnostic_response').where({ sessionId }).delete();
  });
  await forget(sessionId);
  assert.equal(await evidence(user), []);
});

test('responses are read only for sessions without stored answers', async () => {
  const [with12, without5] = [await sat(12), await sat(5)];
  await forget(without5.sessionId);
  const request = requestFor(with12.user, without5.user);
  const read = (table: string) => rowsRead(services.db, diagnosticEvidence, request, table);
  assert.equal([await read('diagnostic_session'), await read('diagnostic_response')], [2, 5]);
});

test('the service cannot change them after the finish, whether or not they are stored', async () => {
  const [kept, without] = [await sat(2), await sat(2)];
  await forget(without.sessionId);
  const { organizationId } = world.own.classRow;
  for (const context of [{ organizationId }, 'SUPER'] as const) {
    for (const { sessionId } of [kept, without]) {
      const change = inContext(services.db, context, (trx) =>
        trx('diagnostic_session').where({ id: sessionId, organizationId }).update({ answers: '[]' }),
      );
      const refusal = await change.then(String, String);
      assert.match(refusal, 'the answers of a finished session stay as they are');
    }
  }
});

test.run();
