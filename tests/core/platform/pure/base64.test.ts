// Files are decoded in chunks: the result is that of the whole text, wherever a chunk ends.
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isBase64 } from '#core/platform/pure/base64.ts';

const pieceLetters = 64 * 1024;
const filler = (letters: number) => 'QUJD'.repeat(letters / 4);

test('encoded bytes are base64, whatever their number', () => {
  for (const bytes of [0, 1, 2, 3, 49_151, 49_152, 49_153, 49_154, 98_304]) {
    assert.ok(isBase64(Buffer.alloc(bytes, 7).toString('base64')), `${bytes}`);
  }
});

for (const at of [0, pieceLetters - 4, pieceLetters, pieceLetters + 4]) {
  test(`a fault before character ${at + 4} of two chunks and more is found`, () => {
    const text = filler(2 * pieceLetters + 8);
    for (const fault of ['QQ==', 'QUI=', 'Q===', 'Q UJ', 'QU\nJ', 'QéJD', '====']) {
      assert.not(isBase64(text.slice(0, at) + fault + text.slice(at + 4)), fault);
    }
  });
}

test('a text without padding is refused', () => {
  assert.equal(['Q', 'QU', 'QUI', 'QUJDQ', `${filler(pieceLetters)}QU`].map(isBase64), [
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('groups of four base64 characters are accepted, and no other character', () => {
  const letters = fc.string({ unit: fc.constantFrom('A', 'z', '0', '+', '/', '=', ' ', 'é'), maxLength: 12 });
  void fc.assert(
    fc.property(letters, (text) => {
      const isOne = text.length % 4 === 0 && /^[Az0+/]*={0,2}$/.test(text);
      assert.is(isBase64(text), isOne, text);
    }),
  );
});

test.run();
