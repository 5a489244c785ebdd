// A cache that removes the least recently used entry.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lruCache } from '#core/platform/pure/lru-cache.ts';

test('above its size the least recently read entry is removed', () => {
  const kept = lruCache<number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  assert.is(kept.get('a'), 1);
  kept.set('c', 3);
  assert.is(kept.get('b'), undefined);
  assert.equal([kept.get('a'), kept.get('c')], [1, 3]);
});

test('a value that is set again is stored once', () => {
  const kept = lruCache<number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  kept.set('a', 3);
  kept.set('c', 4);
  assert.equal([kept.get('a'), kept.get('b'), kept.get('c')], [3, undefined, 4]);
});

test.run();
