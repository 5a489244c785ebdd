// A rewritten schema accepts the same values, and does not run costly checks on long values.
import Type, { type TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkJson, checkTextValues } from '#core/http/checks/validation.ts';
import { lengthBeforePattern } from '#core/platform/pure/schemas/length-before-pattern.ts';

const issuesOf = (schema: TSchema, value: unknown) => checkJson(schema)(value).map(({ issue }) => issue);

test('a pattern moves after its maxLength; one without stays', () => {
  assert.equal(lengthBeforePattern({ type: 'string', maxLength: 3, pattern: '^a' }), {
    type: 'string',
    maxLength: 3,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    allOf: [{ if: { maxLength: 3 }, then: { pattern: '^a' } }],
  });
  assert.equal(lengthBeforePattern({ type: 'string', pattern: '^a' }), { type: 'string', pattern: '^a' });
});

test('values that look like keywords are unchanged', () => {
  const named = { type: 'object', properties: { pattern: { const: { pattern: 'x', maxLength: 1 } } } };
  assert.equal(lengthBeforePattern(named), named);
});

test('too long: only the length is reported', () => {
  const Word = Type.String({ maxLength: 3, pattern: '^a+$' });
  assert.equal(issuesOf(Word, 'aaa'), []);
  assert.equal(issuesOf(Word, 'aab'), ['must match pattern "^a+$"']);
  assert.equal(issuesOf(Word, 'bbbb'), ['must NOT have more than 3 characters']);
});

test('deep inside unions, lists and maps', () => {
  const Word = Type.String({ maxLength: 3, format: 'date' });
  const schema = Type.Object({ list: Type.Array(Type.Union([Word, Type.Null()])) });
  assert.ok(issuesOf(schema, { list: ['2026-01-31'] }).includes('must NOT have more than 3 characters'));
  assert.not.ok(issuesOf(schema, { list: ['2026-01-31'] }).some((issue) => issue.includes('format')));
});

test('items are compared only in lists that are short enough', () => {
  const schema = Type.Array(Type.Enum(['a', 'b']), { uniqueItems: true, maxItems: 2 });
  assert.equal(issuesOf(schema, ['a', 'b']), []);
  assert.match(issuesOf(schema, ['a', 'a']).join(), 'duplicate');
  assert.equal(issuesOf(schema, ['a', 'a', 'a']), ['must NOT have more than 2 items']);
});

test('text is coerced and validated as before', () => {
  const check = checkTextValues(Type.Object({ day: Type.String({ maxLength: 10, format: 'date' }) }));
  assert.equal(check({ day: '2026-01-31' }), []);
  assert.is(check({ day: '2026-01-32' }).length, 1);
  assert.is(check({ day: '2026-01-31'.repeat(2) }).length, 1);
});

test('a property name of the caller is truncated in the response', () => {
  const [detail] = checkJson(Type.Object({}, { additionalProperties: false }))({ [`a${'😀'.repeat(500)}`]: 1 });
  assert.is(detail?.field.length, 200);
  assert.ok(detail?.field.isWellFormed());
});

test.run();
