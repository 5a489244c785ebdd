// What is sealed opens only with its key, in its context, unchanged.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createVault } from '../../src/platform/keys/vault.ts';

const vault = createVault(Buffer.alloc(32, 7));

test('what was sealed opens again, and never looks the same twice', () => {
  const text = 'سر: {"token":"x"}';
  const [one, two] = [vault.seal(text, 'a'), vault.seal(text, 'a')];
  assert.is.not(one, two);
  assert.equal([vault.open(one, 'a'), vault.open(two, 'a')], [text, text]);
  assert.not.match(Buffer.from(one, 'base64').toString('latin1'), 'token');
});

test('another key, another context or a changed bit opens nothing', () => {
  const sealed = vault.seal('secret', 'a');
  assert.throws(() => createVault(Buffer.alloc(32, 8)).open(sealed, 'a'));
  assert.throws(() => vault.open(sealed, 'b'));
  const bytes = Buffer.from(sealed, 'base64');
  for (const position of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    assert.throws(() => vault.open(changed.toString('base64'), 'a'), undefined, `byte ${position}`);
  }
  assert.throws(() => vault.open('', 'a'));
});

test('a keyed hash depends on key, purpose and text', () => {
  const hash = vault.keyedHash('quick_code', 'ABCD2345');
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.is(hash, vault.keyedHash('quick_code', 'ABCD2345'));
  assert.is.not(hash, vault.keyedHash('address', 'ABCD2345'));
  assert.is.not(hash, createVault(Buffer.alloc(32, 8)).keyedHash('quick_code', 'ABCD2345'));
});

test.run();
