// timeout: 120s
// Explanations of fidelity gates, and replays that detect an altered count.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { recordDeliveries } from '#support/interventions/deliveries/record.ts';
import { answersOf } from '../../assessment/skill-status/evidence.ts';
import type { Student } from '../../assessment/skill-status/shell.ts';
import type { Json } from '../../backoffice/workbench/backoffice.ts';
import type { Explained } from '../../backoffice/workbench/explain/explained.ts';
import { byForce, useReplays } from '../../backoffice/workbench/replays/world.ts';
import { buildTeacher, signIn } from '../../harness/factories.ts';
import { wordsWrong } from '../interventions/workflow/draft-bodies.ts';

const test = suite('explaining counts');
const world = useReplays(test);
const { shell, owner } = world;
const { app } = shell;
const noon = '2026-01-12T12:00:00.000Z';

let student: Student;
let assignmentId: string;
let record: Json;

test.before(async () => {
  app.clock.set(noon);
  student = await shell.student();
  const { organizationId } = student;
  const token = await signIn(app, await buildTeacher(owner, student.classRow));
  await shell.diagnostic(student, answersOf(wordsWrong), { finishedAt: noon, announced: false });
  await shell.recompute(student);
  const body = { studentId: student.id, bundle_id: 'BND-DECODE-01', startOn: '2025-12-28' };
  const given = await app.post<Json>('/api/workflow/activate', body, { token });
  assignmentId = String(given.body.assignmentId);
  for (const deliveredOn of ['2025-12-29', '2026-01-05', '2026-01-06', '2026-01-07']) {
    const session = {
      ...{
        organizationId,
        bundle_id: 'BND-DECODE-01',
        deliveredOn,
        source: { type: 'live', id: deliveredOn } as const,
      },
      ...{ present: [{ studentId: student.id, responses: [] }], now: app.clock.now() },
    };
    await inContext(shell.services.db, { organizationId }, (trx) => recordDeliveries(trx, shell.services, session));
  }
  record = (await app.post<Json>(`/api/fidelity/${assignmentId}/recompute`, {}, { token })).body;
});

async function explain(stampId: string) {
  const path = `/api/admin/explain/${encodeURIComponent(stampId)}`;
  return app.get<Explained & Json>(path, { token: await world.token() });
}

test('the questions to both tables, what was counted, and the record as it was answered', async () => {
  const { status, body } = await explain(`fidelity:${record.snapshotId}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.kind, body.studentId, body.matchesStored], ['fidelity', student.id, true]);
  assert.equal(body.result, record);
  assert.equal(
    body.decisions.map(({ ruleId }) => ruleId),
    ['FID-99', 'TRK-04'],
  );
  assert.equal(body.decisions[0]?.facts, { gateType: true, planned: 6, thresholdReached: false });
  assert.equal(body.from, {
    ...{ assignmentId, startOn: '2025-12-28', missedOn: [] },
    deliveredOn: ['2025-12-29', '2026-01-05', '2026-01-06', '2026-01-07'],
  });
  assert.equal(body.ruleVersions, {
    ...{ 'fidelity/gate': 1, 'fidelity/settings': 1, 'bundle/settings': 2, 'bundle/track-status': 1 },
  });
});

test('a stamp that is malformed, or of nothing, is unknown', async () => {
  for (const id of ['0', 'x', '999999999']) assert.is((await explain(`fidelity:${id}`)).status, 404, id);
});

test('an altered count is detected by the explanation, and by a replay of the run of that time', async () => {
  const scope = { organizationId: student.organizationId };
  assert.equal((await world.replay(scope)).counts, { same: 1, inputsDiffer: 0, rulesDiffer: 0 });
  const alter = (gate: string) =>
    byForce(owner, 'fidelity_snapshot', 'update fidelity_snapshot set gate = ? where id = ?', [
      gate,
      Number(record.snapshotId),
    ]);
  await alter('pass');
  const { body } = await explain(`fidelity:${record.snapshotId}`);
  assert.is(body.matchesStored, false);
  const altered = await world.replay(scope);
  assert.equal(altered.rows[0]?.fields, ['fidelity.gate']);
  await alter('fail');
  assert.equal((await world.replay(scope)).counts, { same: 1, inputsDiffer: 0, rulesDiffer: 0 });
});

test.run();
