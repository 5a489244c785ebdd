// Years that people enter lie within 2000 to 2100: a Hijri date would be taken for a Gregorian one of the year 1448.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { checkJson } from '#core/http/checks/validation.ts';
import { EnteredDate, EnteredSchoolYear } from '#core/http/schemas.ts';
import { routesOf } from '#core/module/capability.ts';

const fits = (schema: Parameters<typeof checkJson>[0]) => {
  const check = checkJson(schema);
  return (value: unknown) => check(value).length === 0;
};

test('dates and school years of 2000 to 2100 pass, others do not', () => {
  const isDate = fits(EnteredDate);
  for (const date of ['2000-01-01', '2026-11-28', '2099-12-31', '2100-12-31']) assert.ok(isDate(date), date);
  for (const date of ['1448-09-01', '1999-12-31', '2101-01-01', '9999-01-01', '0026-11-28', '2026-02-30', '٢٠٢٦-٠١-٠١'])
    assert.not.ok(isDate(date), date);
  const isYear = fits(EnteredSchoolYear);
  for (const year of ['2000-2001', '2026-2027', '2099-2100']) assert.ok(isYear(year), year);
  for (const year of ['1448-1449', '1999-2000', '2100-2101', '2026', '20266-2027']) assert.not.ok(isYear(year), year);
});

type Schema = Readonly<Record<string, unknown>>;
const yearForm = '^\\d{4}-\\d{4}$';

/** Returns the paths of dates and school years in a schema that accept any year. */
function unbounded(schema: Schema, path: string): string[] {
  const isDate = schema.format === 'date' && schema.pattern === undefined;
  const found = isDate || schema.pattern === yearForm ? [path] : [];
  const parts = Object.entries(schema).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const within = name === 'properties' || name === 'items' ? path : `${path}.${name}`;
    return unbounded(value as Schema, name === 'properties' ? path : within);
  });
  return [...found, ...parts];
}

test('every body that takes a date or a school year takes it within these years', () => {
  const bodies = routesOf(capabilities).flatMap(({ operation, body }) => (body ? [{ operation, body }] : []));
  assert.equal(
    bodies.flatMap(({ operation, body }) => unbounded(body as unknown as Schema, operation)),
    [],
  );
  const entered = bodies.filter(({ body }) => JSON.stringify(body).includes('(20\\\\d{2}|2100)'));
  const operations = entered.map(({ operation }) => operation);
  for (const known of ['createClass', 'updateClass', 'updateOrganization', 'rollOverSchool', 'recordCbmProbe'])
    assert.ok(operations.includes(known), known);
});

test.run();
