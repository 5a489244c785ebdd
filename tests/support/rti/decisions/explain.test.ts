// timeout: 120s
// Explanations of decisions, down to the responses; a replay detects an altered recommendation.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import type { Json } from '../../../backoffice/workbench/backoffice.ts';
import type { Explained } from '../../../backoffice/workbench/explain/explained.ts';
import { byForce, useReplays } from '../../../backoffice/workbench/replays/world.ts';
import { buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';

const test = suite('explaining decisions');
const world = useReplays(test);
const { shell, owner } = world;
const { app } = shell;
const noon = '2026-01-12T12:00:00.000Z';

const noWords = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'UUUU' },
  ...{ LIS_LITERAL: 'UUUU', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};

let student: Student;
let teacher: UserRow;
let recommended: Json;
let decisionId: string;

async function asTeacher(method: string, path: string, body?: object): Promise<Json> {
  const token = await signIn(app, teacher);
  const answer = await app.request<Json>(method, path, { token, ...(body && { body }) });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

test.before(async () => {
  app.clock.set(noon);
  student = await shell.student();
  teacher = await buildTeacher(owner, student.classRow);
  await shell.diagnostic(student, answersOf(noWords), { finishedAt: noon, announced: false });
  await shell.recompute(student);
  const path = `/api/rti/students/${student.id}`;
  await asTeacher('POST', `${path}/evaluate`, {});
  recommended = await asTeacher('GET', `${path}/recommendation`);
  const { recommendationId, decision } = recommended;
  decisionId = String((await asTeacher('POST', `${path}/decisions`, { recommendationId, decision })).decisionId);
});

test('the trace for teachers: every rule that was tried, and the smallest change that would alter the result', () => {
  const { trace, flipDistance, ruleId, decisionPossible } = recommended;
  const tried = (trace as { ruleId: string; failed?: object }[])
    .filter(({ failed }) => !failed)
    .map((one) => one.ruleId);
  assert.equal([tried, ruleId], [['DSF-99', 'TRC-06'], 'TRC-06']);
  const { changes, outcome } = flipDistance as { changes: object[]; outcome: string };
  assert.is(changes.length, 1);
  assert.is.not(outcome, 'escalate');
  assert.equal(Object.keys(decisionPossible as Json).sort(), [
    ...['creditsMissing', 'earliestOn', 'pointsMissing', 'weeksMissing'],
  ]);
});

test('a decision: what was recommended, made again, and the profile that the student had', async () => {
  const path = `/api/admin/explain/${encodeURIComponent(`decision:${decisionId}`)}`;
  const { status, body } = await app.get<Explained & Json>(path, { token: await world.token() });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.kind, body.stampId, body.studentId], ['decision', `decision:${decisionId}`, student.id]);
  assert.is(body.matchesStored, true);
  assert.equal(
    body.decisions.map(({ ruleId }) => ruleId),
    ['TRC-06', 'DSF-99'],
  );
  assert.equal([body.result.decision, body.result.toTier], ['escalate', 2]);
  const { recommendationId, ruleVersions } = recommended;
  assert.is((body.recommendation as Json).recommendationId, recommendationId);
  assert.equal(body.ruleVersions, ruleVersions);
  const profile = body.profile as { run: Explained };
  assert.ok(JSON.stringify(profile.run.from).includes('DEC_WORD-'));
});

test('a stamp that is malformed, or of nothing, is unknown', async () => {
  for (const stampId of ['decision:1', 'decision:abc', `decision:${'a'.repeat(24)}`]) {
    const path = `/api/admin/explain/${encodeURIComponent(stampId)}`;
    assert.is((await app.get(path, { token: await world.token() })).status, 404, stampId);
  }
});

test('a replay sees a recommendation that was altered', async () => {
  const scope = { organizationId: student.organizationId };
  const sound = await world.replay(scope);
  assert.equal(sound.counts, { same: 1, inputsDiffer: 0, rulesDiffer: 0 });
  const statement = `update rti_decision set recommendation = jsonb_set(recommendation, '{ruleId}', '"TRC-99"')
    where id = ?`;
  await byForce(owner, 'rti_decision', statement, [decisionId]);
  const altered = await world.replay(scope);
  assert.equal(
    altered.rows.map(({ fields }) => fields),
    [['decision.recommendation']],
  );
  const path = `/api/admin/explain/${encodeURIComponent(`decision:${decisionId}`)}`;
  const { body } = await app.get<Explained>(path, { token: await world.token() });
  assert.is(body.matchesStored, false);
  const rows = await inContext(owner, scope, (trx) => trx('rti_decision').where({ ...scope, id: decisionId }));
  assert.is(rows.length, 1);
});

test.run();
