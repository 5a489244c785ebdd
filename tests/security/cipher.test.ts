// A ciphertext is decrypted only with its key, in its context, unchanged.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCipher } from '#core/platform/keys/cipher.ts';

const cipher = createCipher([Buffer.alloc(32, 7)]);

test('a text is decrypted, and two ciphertexts of it differ', () => {
  const text = 'سر: {"token":"x"}';
  const [one, two] = [cipher.encrypt(text, 'a'), cipher.encrypt(text, 'a')];
  assert.is.not(one, two);
  assert.equal([cipher.decrypt(one, 'a'), cipher.decrypt(two, 'a')], [text, text]);
  assert.not.match(Buffer.from(one.split('.')[1] ?? '', 'base64').toString('latin1'), 'token');
});

test('another key, another context or a changed bit is refused', () => {
  const encrypted = cipher.encrypt('secret', 'a');
  assert.throws(() => createCipher([Buffer.alloc(32, 8)]).decrypt(encrypted, 'a'));
  assert.throws(() => cipher.decrypt(encrypted, 'b'));
  const [keyId, sealed = ''] = encrypted.split('.');
  const bytes = Buffer.from(sealed, 'base64');
  for (const position of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    assert.throws(() => cipher.decrypt(`${keyId}.${changed.toString('base64')}`, 'a'), undefined, `byte ${position}`);
  }
  assert.throws(() => cipher.decrypt('', 'a'));
});

test('the first of several keys encrypts, all decrypt, and the ciphertext has the id of its key', () => {
  const [oldKey, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
  const rotated = createCipher([newKey, oldKey]);
  const before = cipher.encrypt('kept', 'a');
  const after = rotated.encrypt('fresh', 'a');
  assert.equal([rotated.decrypt(before, 'a'), rotated.decrypt(after, 'a')], ['kept', 'fresh']);
  assert.throws(() => cipher.decrypt(after, 'a'));
  assert.equal(
    [after, before].map((text) => text.split('.')[0]),
    rotated.keyIds,
  );
  assert.is.not(rotated.keyIds[0], rotated.keyIds[1]);
});

test('a ciphertext from before key ids is decrypted by the key that made it', () => {
  const withoutId = cipher.encrypt('older', 'a').split('.')[1] ?? '';
  assert.is(createCipher([Buffer.alloc(32, 9), Buffer.alloc(32, 7)]).decrypt(withoutId, 'a'), 'older');
  assert.throws(() => createCipher([Buffer.alloc(32, 9)]).decrypt(withoutId, 'a'));
});

test('a hash by an earlier key is found', () => {
  const rotated = createCipher([Buffer.alloc(32, 9), Buffer.alloc(32, 7)]);
  const hashes = rotated.keyedHashes('quick_code', 'ABCD2345');
  assert.equal(hashes, [rotated.keyedHash('quick_code', 'ABCD2345'), cipher.keyedHash('quick_code', 'ABCD2345')]);
});

test('a keyed hash depends on key, purpose and text', () => {
  const hash = cipher.keyedHash('quick_code', 'ABCD2345');
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.is(hash, cipher.keyedHash('quick_code', 'ABCD2345'));
  assert.is.not(hash, cipher.keyedHash('address', 'ABCD2345'));
  assert.is.not(hash, createCipher([Buffer.alloc(32, 8)]).keyedHash('quick_code', 'ABCD2345'));
});

test.run();
