// Duplicate keys of JSON texts, also beside strings as long as the largest body.
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { duplicateKeys } from '#core/platform/parsing/duplicate-keys.ts';

test('a key is the same however it is escaped, and is its own in each object', () => {
  assert.equal(duplicateKeys('{"a": 1, "b": {"a": ["a", "a"]}, "\\u0061": {"c": 2}, "c": 3}'), ['a']);
  assert.equal(duplicateKeys('{"a\\"": "\\\\", "a\\"": "b\\\\\\"", "b": "}{,", "b": []}'), ['a"', 'b']);
});

test('output of JSON.stringify has no duplicate key, whatever its strings contain', () => {
  void fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(duplicateKeys(JSON.stringify(value)), [])));
});

test('keys after a string are found, whatever the string contains', () => {
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
  test(`a string of 20 MiB of ${unit} is skipped`, () => {
    const text = `{"a": "${unit.repeat((20 * 1024 * 1024) / unit.length)}", "b": 1, "b": 2}`;
    assert.equal(duplicateKeys(text), ['b']);
  });
}

test.run();
