// Generated ids: in the form of a cuid2, unique, every character equally likely.
import { isCuid } from '@paralleldrive/cuid2';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isId, newId } from '#core/platform/ids.ts';

const count = 50_000;
const ids = Array.from({ length: count }, newId);

test('each has the form of a cuid2 of 24 characters', () => {
  for (const id of ids) if (!isCuid(id) || !isId(id) || !/^[a-z][a-z0-9]{23}$/.test(id)) assert.unreachable(id);
});

test('no id is generated twice', () => {
  assert.is(new Set(ids).size, count);
});

test('each character is equally likely, at the first position and at the others', () => {
  assertUniform(
    ids.map((id) => id.slice(0, 1)),
    26,
  );
  assertUniform(
    ids.flatMap((id) => [...id.slice(1)]),
    36,
  );
});

/** Pearson's chi-squared against its mean plus six standard deviations: fair ids fail less than once in a million runs. */
function assertUniform(characters: readonly string[], kinds: number): void {
  const counts = new Map<string, number>();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.is(counts.size, kinds);
  const expected = characters.length / kinds;
  const chiSquared = [...counts.values()].reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
  const freedom = kinds - 1;
  assert.ok(chiSquared < freedom + 6 * Math.sqrt(2 * freedom), `chi-squared ${chiSquared} of ${freedom}`);
}

test.run();
