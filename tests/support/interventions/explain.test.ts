// timeout: 120s
// Explanations of profiles, assignments and groups; replays detect an altered row.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../../assessment/skill-status/evidence.ts';
import type { Student } from '../../assessment/skill-status/shell.ts';
import type { Json } from '../../backoffice/workbench/backoffice.ts';
import type { Decision, Explained } from '../../backoffice/workbench/explain/explained.ts';
import { byForce, useReplays } from '../../backoffice/workbench/replays/world.ts';
import { buildTeacher, signIn, type UserRow } from '../../harness/factories.ts';

const test = suite('explaining support');
const world = useReplays(test);
const { shell, owner } = world;
const { app } = shell;
const noon = '2026-01-12T12:00:00.000Z';

const noWords = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'UUUU' },
  ...{ LIS_LITERAL: 'CCCC', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};

let student: Student;
let classmate: Student;
let teacher: UserRow;

test.before(async () => {
  app.clock.set(noon);
  student = await shell.student();
  classmate = await shell.classmate(student);
  teacher = await buildTeacher(owner, student.classRow);
  for (const one of [student, classmate]) {
    await shell.diagnostic(one, answersOf(noWords), { finishedAt: noon, announced: false });
    await shell.recompute(one);
  }
});

async function explain<Found = Explained>(stampId: string): Promise<Found> {
  const path = `/api/admin/explain/${encodeURIComponent(stampId)}`;
  const { status, body } = await app.get<Found>(path, { token: await world.token() });
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

async function asTeacher(method: string, path: string, body?: object): Promise<Json> {
  const token = await signIn(app, teacher);
  const answer = await app.request<Json>(method, path, { token, ...(body && { body }) });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

const newestProfile = async ({ id, organizationId }: Student): Promise<number> => {
  const row = await inContext(owner, { organizationId }, (trx) =>
    trx('profile_assignment').where({ studentId: id }).orderBy('id', 'desc').first('id'),
  );
  return row.id;
};

const layers = (decisions: readonly Decision[]) => decisions.map(({ layer, ruleId, hits }) => [layer, ruleId ?? hits]);

test('a profile: the rules that resolved it, and the run down to the responses', async () => {
  const id = await newestProfile(student);
  const found = await explain<Explained & { readonly run: Explained }>(`profile:${id}`);
  assert.equal([found.kind, found.stampId, found.studentId], ['profile', `profile:${id}`, student.id]);
  assert.is(found.result.profileCode, 'DECODING_NEED');
  assert.is(found.matchesStored, true);
  assert.is(found.decisions[0]?.ruleId, 'PRF-10');
  assert.is(found.decisions[0]?.facts.strongDECODE, true);
  assert.ok(found.nearestChange, 'other answers would give another profile');
  const words = JSON.stringify(found.run.from).match(/"responseRef":"[^"]*DEC_WORD-\d+"/g) ?? [];
  assert.is(new Set(words).size, 4);
});

test('an assignment: its frozen recommendation, made again, and the profile that it was made for', async () => {
  const body = { studentId: student.id, bundle_id: 'BND-DECODE-01' };
  const { assignmentId } = await asTeacher('POST', '/api/workflow/activate', body);
  const found = await explain<Explained & { readonly profile: Explained }>(`assignment:${assignmentId}`);
  assert.is(found.result.bundle_id, 'BND-DECODE-01');
  assert.is(found.matchesStored, true);
  assert.equal(
    layers(found.decisions).map(([, ruleId]) => ruleId),
    ['BRR-12A', 'SCF-01', 'DLM-99'],
  );
  assert.is(found.profile.stampId, `profile:${await newestProfile(student)}`);
});

test('a generation: for each student the rules that put them into a group', async () => {
  const { generationId, clusters } = await asTeacher('POST', `/api/cluster/recompute/${student.classRow.id}`, {});
  const found = await explain<Json>(`generation:${generationId}`);
  assert.is(found.matchesStored, true);
  assert.is(found.classId, student.classRow.id);
  const members = found.from as (Json & { readonly decisions: Decision[] })[];
  assert.equal(
    members.map(({ studentId }) => studentId),
    [student.id, classmate.id],
  );
  const [{ clusterKey }] = clusters as [Json];
  assert.equal(
    members.map((one) => one.clusterKey),
    [clusterKey, clusterKey],
  );
  assert.is(members[1]?.profileStampId, `profile:${await newestProfile(classmate)}`);
  assert.equal(
    members[1]?.decisions.map(({ ruleId }) => ruleId),
    ['BRR-12A', 'SCF-01', 'DLM-99', 'CLP-99', 'CLM-99'],
  );
});

test('a stamp that is malformed, or of nothing, is unknown', async () => {
  for (const stampId of ['profile:0', 'profile:x', 'assignment:1', 'generation:abc', 'profile:999999999']) {
    const path = `/api/admin/explain/${encodeURIComponent(stampId)}`;
    assert.is((await app.get(path, { token: await world.token() })).status, 404, stampId);
  }
});

test('a replay sees a profile or a recommendation that was altered', async () => {
  const scope = { organizationId: student.organizationId };
  const sound = await world.replay(scope);
  assert.equal(sound.counts, { same: 2, inputsDiffer: 0, rulesDiffer: 0 });
  const id = await newestProfile(classmate);
  const alter = (code: string) =>
    byForce(owner, 'profile_assignment', 'update profile_assignment set profile_code = ? where id = ?', [code, id]);
  await alter('LANGUAGE_NEED');
  const altered = await world.replay(scope);
  assert.equal(altered.counts, { same: 1, inputsDiffer: 0, rulesDiffer: 1 });
  assert.equal(altered.rows[0]?.fields, ['profile.profileCode']);
  await alter('DECODING_NEED');
  const statement = `update bundle_assignment set recommendation = jsonb_set(recommendation, '{action}', '"none"')
    where student_id = ?`;
  await byForce(owner, 'bundle_assignment', statement, [student.id]);
  const plans = await world.replay(scope);
  assert.equal(
    plans.rows.map(({ fields }) => fields),
    [['assignment.recommendation']],
  );
});

test.run();
