// All reactions run in one transaction of the relay, in the order of their locks.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { jobsOf } from '#core/module/capability.ts';
import { lockOrder } from '#core/platform/locks.ts';

test('reactions are in the order of their declared locks', () => {
  const places = jobsOf(capabilities).reactions.flatMap(({ locks }) =>
    locks === undefined ? [] : [lockOrder.findIndex(([name]) => name === locks)],
  );
  assert.ok(places.length >= 4);
  assert.equal(
    places,
    places.toSorted((one, other) => one - other),
  );
});

test.run();
