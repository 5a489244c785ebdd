// Instants in requests, in any ISO 8601 form with an offset; inside the service they are UTC with milliseconds.
import Type from 'typebox';
import { invalid } from '../platform/errors.ts';
import { named } from './schemas.ts';

/** A date-time of this millennium, which the database and every calendar of the service can represent. */
export const InstantText = named(
  'InstantText',
  Type.String({ format: 'date-time', pattern: '^2\\d{3}-', maxLength: 40 }),
);

/** Returns both ends as ISO 8601 UTC with milliseconds. Throws VALIDATION_ERROR unless `from` is before `to`. */
export function spanOf(input: { readonly from: string; readonly to: string }, field = '') {
  const at = (name: string) => (field === '' ? name : `${field}.${name}`);
  const from = instantOf(input.from, at('from'));
  const to = instantOf(input.to, at('to'));
  if (from >= to) throw invalid(at('to'), 'must be after from');
  return { from, to };
}

/** Returns the instant as ISO 8601 UTC. Throws VALIDATION_ERROR for a leap second, which fits the format and is no instant. */
export function instantOf(text: string, field: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(field, 'is no instant');
  return new Date(ms).toISOString();
}
