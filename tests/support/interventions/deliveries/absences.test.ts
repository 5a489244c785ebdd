// Absences from a session: recorded by the same writer, stored once, and no delivery.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { recordDeliveries } from '#support/interventions/deliveries/record.ts';
import { type Json, monday, type Pupil } from '../workflow/draft-bodies.ts';
import { useSessions } from './sessions.ts';

const test = suite('absences');
const { plans, ledger } = useSessions(test);
const { app, services } = plans.shell;
const { owner } = app.database;

let there: Pupil;
let away: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  there = await plans.pupil();
  away = await plans.classmate(there);
});

/** By default on the Monday. */
const session = (id: string, present: readonly Pupil[], absent: readonly Pupil[], deliveredOn = '2026-01-12') =>
  inContext(services.db, { organizationId: there.organizationId }, (trx) =>
    recordDeliveries(trx, services, {
      ...{ organizationId: there.organizationId, bundle_id: 'BND-DECODE-01', deliveredOn, now: app.clock.now() },
      source: { type: 'blueprint', id },
      present: present.map((one) => ({ studentId: one.id, responses: [] })),
      absent: absent.map((one) => one.id),
    }),
  );
const missed = ({ organizationId, id }: Pupil): Promise<Json[]> =>
  inContext(owner, { organizationId }, (trx) =>
    trx('bundle_absence').where({ studentId: id }).orderBy('id').select('assignmentId', 'sourceId', 'missedOn'),
  );
const reported = ({ organizationId, id }: Pupil): Promise<Json[]> =>
  inContext(owner, 'SUPER', (trx) =>
    trx('outbox')
      .where({ organizationId, topic: 'delivery.recorded' })
      .whereRaw("payload ->> 'studentId' = ?", [String(id)]),
  );

test('an absence is a row, recorded once, and counts towards no step', async () => {
  await plans.given(there);
  const assignmentId = await plans.given(away);
  const before = await plans.row(away, assignmentId);
  assert.equal(
    (await session('s1', [there], [away])).map(({ studentId }) => studentId),
    [there.id],
  );
  await session('s1', [there], [away]);
  assert.equal(await missed(away), [{ assignmentId, sourceId: 's1', missedOn: '2026-01-12' }]);
  assert.equal([(await ledger(away)).length, (await missed(there)).length], [0, 0]);
  assert.equal([(await reported(away)).length, (await reported(there)).length], [1, 1]);
  const { steps, currentStepNo } = await plans.row(away, assignmentId);
  assert.equal({ steps, currentStepNo }, { steps: before.steps, currentStepNo: before.currentStepNo });
});

test('two sessions of a day are two absences; a session of absent students alone is recorded too', async () => {
  await plans.given(away);
  assert.equal(await session('s1', [], [away]), []);
  assert.equal(await session('s2', [], [away]), []);
  assert.is((await missed(away)).length, 2);
});

test('a student without an assignment of the bundle by that day, or with a paused one, has no absence', async () => {
  await session('s1', [], [away]);
  const assignmentId = await plans.given(away);
  await session('s2', [], [away], '2026-01-11');
  await plans.review(away, { assignmentId, action: 'pause', reasonCode: 'Long_Absence' });
  await session('s3', [], [away]);
  assert.equal(await missed(away), []);
});

test('offered, delivered and absent in the check of an assignment', async () => {
  const id = await plans.given(away, { startOn: '2026-01-04' });
  await session('s1', [away], [], '2026-01-04');
  await session('s2', [], [away], '2026-01-05');
  await session('s3', [], [away], '2026-01-12');
  const { body } = await app.get<Json>(`/api/fidelity/${id}/check`, { token: away.token });
  assert.equal([body.offered, body.absent, body.delivered, body.planned], [2, 1, 1, 3], 'this week is not over');
});

test.run();
