// Building blocks with which capabilities write the schemas of their rule documents.
import type { ConstantRange } from './constant-ranges.ts';

export type Schema = Readonly<Record<string, unknown>>;

const name = { type: 'string', pattern: '^[a-z][a-z0-9-]*$' };
/** A text with at least one visible character. */
export const text = { type: 'string', minLength: 1, pattern: '\\S' };
/** The format of a number that is compared with a decimal fact, which is rounded to 4 decimals. */
export const fourDecimals = 'four-decimals';
export const flag = { type: 'boolean' };
export const localText = strict({ ar: text, en: text });
export const constants = dictionary(
  '^[A-Z][A-Z0-9-]*$',
  strict({ value: { type: ['number', 'string', 'boolean'] }, rationale: text }, { unit: text }),
);
export const identity = { family: name, key: name, version: { type: 'integer', minimum: 1 }, title: localText };

/** An object with exactly these properties; `optional` ones may be left out. */
export function strict(required: Schema, optional: Schema = {}): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** An object whose keys all match the pattern. */
export function dictionary(keyPattern: string, of: Schema): Schema {
  return { type: 'object', additionalProperties: false, patternProperties: { [keyPattern]: of } };
}

export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });

export const setOf = (items: Schema, minItems = 0): Schema => listOf(items, { uniqueItems: true, minItems });

export const code = { type: 'string', pattern: '^[A-Z][A-Z_]*$' };
export const grade = { type: 'integer', minimum: 1, maximum: 4 };

export const count = (min: number, max: number): ConstantRange => ({ min, max, integer: true });
export const amount = (min: number, max: number): ConstantRange => ({ min, max, integer: false });
export const share = amount(0, 1);
/** A month and a day that every year has. */
export const dayOfYear: ConstantRange = {
  pattern:
    /^(?:02-(?:0[1-9]|1\d|2[0-8])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01]))$/,
  ends: ['01-01', '12-31'],
};
