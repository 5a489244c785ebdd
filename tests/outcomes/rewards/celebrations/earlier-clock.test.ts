// A celebration is marked as seen whatever the clock says: it may have been set back, or be another machine's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { buildWorld } from '../../../harness/world.ts';
import { buildGrowth } from '../rows.ts';

const test = suite('celebrations and a clock that was set back');
const app = useApp(test, { rules: true });

test('what is seen before it was made is seen at the moment at which it was made', async () => {
  const student = (await buildWorld(app)).own.people.STUDENT;
  const celebrates = [{ kind: 'avatar_tier', value: 2 }];
  const [id] = (await buildGrowth(app.database.owner, student, { on: '2026-02-20', celebrates })).celebrationIds;
  const path = `/api/students/${student.id}/gamification/celebrations/${id}/seen`;
  const seen = () => app.post<{ seenAt: string; createdAt: string }>(path, {}, { token: student.token });
  const { status, body } = await seen();
  assert.equal([status, body.seenAt], [200, body.createdAt]);
  assert.ok(app.clock.now().toISOString() < body.createdAt);
  assert.equal((await seen()).body, body);
});

test.run();
