// Keys that a JSON text gives twice, also beside texts as long as the largest body.
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { duplicateKeys } from '#core/platform/parsing/duplicate-keys.ts';

test('a key is the same however it is escaped, and is its own in each object', () => {
  assert.equal(duplicateKeys('{"a": 1, "b": {"a": ["a", "a"]}, "\\u0061": {"c": 2}, "c": 3}'), ['a']);
  assert.equal(duplicateKeys('{"a\\"": "\\\\", "a\\"": "b\\\\\\"", "b": "}{,", "b": []}'), ['a"', 'b']);
});

test('what JSON.stringify has written has no key twice, whatever its texts hold', () => {
  void fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(duplicateKeys(JSON.stringify(value)), [])));
});

test('what stands behind a text is seen, whatever the text holds', () => {
  void fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\\', '"', ',', '{', '}', 'a') }), (text) => {
      const json = JSON.stringify(text);
      assert.equal(
        duplicateKeys(`{"k": ${json}, "k": [${json}], ${json}: 1, ${json}: 2}`).length,
        text === 'k' ? 3 : 2,
      );
    }),
  );
});

for (const unit of ['QUJD', '\\n', '\\"', '\\u0041']) {
  test(`a text of 20 MiB of ${unit} is read over`, () => {
    const text = `{"a": "${unit.repeat((20 * 1024 * 1024) / unit.length)}", "b": 1, "b": 2}`;
    assert.equal(duplicateKeys(text), ['b']);
  });
}

test.run();
