// Compiled rules are cached while they are used.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { activeRules, type Versions } from '#rules/rulesets/active.ts';
import { useDatabase } from '../../harness/database.ts';
import { installShippedRules } from '../../harness/rules.ts';

const { owner } = useDatabase(test);

test('used rules stay cached; older ones of hundreds of pinned sets are evicted', async () => {
  await installShippedRules(owner);
  const { versions } = await owner('rule_bundle').first();
  const names = Object.keys(versions).sort();
  const sets = names.flatMap((one, at) => names.slice(at + 1).map((other): Versions => ({ [one]: 1, [other]: 1 })));
  const rules = activeRules();
  const inForce = await rules.pinned(owner, versions);
  const [oldest = {}] = sets;
  const first = await rules.pinned(owner, oldest);
  for (const pins of sets.slice(1, 100)) {
    await rules.pinned(owner, pins);
    assert.is(await rules.pinned(owner, versions), inForce, 'the rules in force are compiled once');
  }
  assert.is.not(await rules.pinned(owner, oldest), first);
});

test.run();
