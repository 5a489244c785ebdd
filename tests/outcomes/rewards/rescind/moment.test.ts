// A badge is taken back at the moment at which no one else writes to the student's ledgers: an earlier one would change what a
// replay has answered.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld } from '../../../harness/world.ts';
import { buildGrowth } from '../rows.ts';

const test = suite('the moment at which a badge is taken back');
const app = useApp(test, { rules: true });
const { owner } = app.database;

test('a rescind that waits for the ledgers is recorded when it gets them', async () => {
  const { people } = (await buildWorld(app)).own;
  const { id: studentId } = people.STUDENT;
  const { studentBadgeId } = await buildGrowth(owner, people.STUDENT, { badge: 'first_step' });
  const writer = await owner.transaction();
  await writer('app_user').where({ id: studentId }).forUpdate();
  const path = `/api/teachers/badges/${studentBadgeId}/rescind`;
  const asked = app.post(path, { overrideCode: 'Gam_Award_Invalid_05' }, { token: people.TEACHER.token });
  await eventually('the rescind waits', async () => (await lockWaits(owner)) > 0);
  app.clock.advance(60_000);
  await writer.commit();
  assert.is((await asked).status, 200);
  const recordedAt = async (table: string, more = {}) =>
    (
      await owner(table)
        .where({ studentId, ...more })
        .first('recordedAt')
    ).recordedAt;
  const now = app.clock.now().toISOString();
  assert.is(await recordedAt('student_badge_rescind'), now);
  assert.is(await recordedAt('xp_transaction', { kind: 'rescind' }), now);
});

test.run();
