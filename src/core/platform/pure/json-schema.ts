// The only instance of ajv: for bodies and responses, rule documents and content files. A schema is compiled on first use,
// because compiling all of them would delay every start. A value is validated at most twice: up to its first fault, with its
// size before its content, and then, if all faults are requested, for the others. A body of millions of invalid members is
// refused for the first of them.
import { Ajv2020, type ErrorObject, type FuncKeywordDefinition, type Options } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormatsModule from 'ajv-formats';
import { isBase64 } from './base64.ts';
import { isTimeZone } from './dates/time-zones.ts';
import { round4 } from './round.ts';
import { lengthBeforePattern } from './schemas/length-before-pattern.ts';
import { cleanName, typedCode } from './typed-text.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that name no country: groupings, and codes for private use in ISO 3166-1. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  removeAdditional: false,
  discriminator: true,
  // A test validates our own schemas (tests/core/http/checks/schemas), so that a start need not.
  validateSchema: false,
  // Optimized code is no faster, and optimizing takes a third of the compile time.
  code: { optimize: false },
  // A shared part of a schema becomes one function instead of being inlined at each reference.
  inlineRefs: false,
  formats: {
    base64: isBase64,
    'iana-time-zone': isTimeZone,
    'iso-country': (code: string) =>
      /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regions.of(code) !== undefined,
    'four-decimals': { type: 'number', validate: (value: number) => round4(value) === value },
  },
} as const satisfies Options;

/** How a text is read that people type: the value of the keyword `x-typed`. */
const readings = { name: cleanName, code: typedCode } as const;
export type Typed = keyof typeof readings;

/** Replaces the text by what it is read as, before its length and its form are checked. */
const typedKeyword: FuncKeywordDefinition = {
  keyword: 'x-typed',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  validate: (typed: Typed, text: string, _schema?: unknown, at?: DataValidationCxt) => {
    // A value that is no member of another one cannot be replaced.
    if (at?.parentData) at.parentData[at.parentDataProperty] = readings[typed](text);
    return true;
  },
};

const uncoerced = validators(options);
/** Coerces texts of query and path, and fills defaults. */
const fromText = validators({ ...options, coerceTypes: true, useDefaults: true });

interface Validators {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

function validators(each: Options): Validators {
  const of = (allErrors: boolean) => addFormats(new Ajv2020({ ...each, allErrors }).addKeyword(typedKeyword));
  return { first: of(false), all: of(true) };
}

/** Which faults are collected. All faults take unbounded memory, so they are collected only for short values. */
export type CollectedFaults = 'first' | 'all';

export interface Validate {
  /** Returns the faults of a value; `[]` means that it is valid. Default: all faults. */
  (value: unknown, faults?: CollectedFaults): readonly ErrorObject[];
  /** Compiles the schema, unless it is compiled already. Takes up to seconds for a large schema. */
  compile(): void;
}

/** Returns a validator of JSON values. `schema` is called once. */
export const jsonValidator = (schema: () => object): Validate => validator(uncoerced, schema);

/** Returns a validator of objects of texts, which it coerces in place to the types of the schema. */
export const textValidator = (schema: () => object): Validate => validator(fromText, schema);

function validator(ajv: Validators, schema: () => object): Validate {
  const given = once(schema);
  const first = once(() => ajv.first.compile(given()));
  /** Few values have faults, so most schemas are never compiled for all of them. */
  const all = once(() => ajv.all.compile(lengthBeforePattern(given())));
  const validate = (value: unknown, faults: CollectedFaults = 'all') => {
    const isValid = first();
    if (isValid(value)) return [];
    if (faults === 'first') return isValid.errors ?? [];
    const collect = all();
    collect(value);
    // The error of an `if` adds nothing to that of its `then`.
    return (collect.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  };
  return Object.assign(validate, { compile: () => void first() });
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A file of another kind has a fault in each line; the first few suffice. */
const maxReported = 3;

/**
 * Returns a function that returns a file's content with the type of its schema. It throws RangeError that names `subject` and
 * the faults.
 */
export function shapeOf<Shape>(schema: object): (value: unknown, subject: string) => Shape {
  const validate = jsonValidator(() => schema);
  return (value, subject) => {
    const errors = validate(value);
    if (errors.length > 0)
      throw new RangeError(`${subject}: ${uncoerced.all.errorsText(errors.slice(0, maxReported))}`);
    return value as Shape;
  };
}
