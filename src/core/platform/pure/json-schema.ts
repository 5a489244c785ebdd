// The one ajv of the service: bodies and answers, rule documents, content files. A schema is compiled when it is first used:
// all of them at once would hold up every start. A value is looked at twice at most: until its first fault, where its size
// comes before its content, and then, where all faults are asked for, for the others. Whoever sends millions of wrong members
// is refused for the first of them.
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { isBase64 } from './base64.ts';
import { lengthBeforePattern } from './schemas/length-before-pattern.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const timeZones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that name no country: groupings, and those kept for private use (ISO 3166-1 leaves them free). */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  removeAdditional: false,
  discriminator: true,
  // That our own schemas are schemas is for a test to tell (tests/core/http/schemas), not for every start.
  validateSchema: false,
  // Shorter code is no faster code, and making it shorter takes a third of the time that compiling takes.
  code: { optimize: false },
  // What a schema says once is one function, and not written into each place that refers to it.
  inlineRefs: false,
  formats: {
    base64: isBase64,
    'iana-time-zone': (name: string) => timeZones.has(name),
    'iso-country': (code: string) =>
      /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regions.of(code) !== undefined,
  },
} as const satisfies Options;

const asItStands = validators(options);
/** Turns query and path text into values, and fills defaults. */
const fromText = validators({ ...options, coerceTypes: true, useDefaults: true });

interface Validators {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

function validators(each: Options): Validators {
  const of = (allErrors: boolean) => addFormats(new Ajv2020({ ...each, allErrors }));
  return { first: of(false), all: of(true) };
}

/** How many faults are worth looking for. All of them take memory without a bound: only of what is known to be short. */
export type Faults = 'first' | 'all';

export interface Validate {
  /** What is wrong with a value; `[]` means nothing is. Default: all that is. */
  (value: unknown, faults?: Faults): readonly ErrorObject[];
  /** Takes up to seconds for a large schema. The first use does it where nobody has done it before. */
  compile(): void;
}

/** Looks at a JSON value as it stands. `schema` is asked for once. */
export const jsonValidator = (schema: () => object): Validate => validator(asItStands, schema);

/** Looks at an object of texts, and changes them in place to what the schema says they are. */
export const textValidator = (schema: () => object): Validate => validator(fromText, schema);

function validator(ajv: Validators, schema: () => object): Validate {
  const given = once(schema);
  const first = once(() => ajv.first.compile(given()));
  /** Few values have faults: most schemas are never compiled for them. */
  const all = once(() => ajv.all.compile(lengthBeforePattern(given())));
  const validate = (value: unknown, faults: Faults = 'all') => {
    const isValid = first();
    if (isValid(value)) return [];
    if (faults === 'first') return isValid.errors ?? [];
    const collect = all();
    collect(value);
    // What stands behind a bound is told by itself; that the bound's `then` did not hold tells nothing more.
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

/** A file of another kind is wrong in each of its lines; the first few say enough. */
const mostTold = 3;

/** Answers a file's content as what its schema says it is. Throws RangeError that names `subject` and what is wrong. */
export function shapeOf<Shape>(schema: object): (value: unknown, subject: string) => Shape {
  const validate = jsonValidator(() => schema);
  return (value, subject) => {
    const errors = validate(value);
    if (errors.length > 0) throw new RangeError(`${subject}: ${asItStands.all.errorsText(errors.slice(0, mostTold))}`);
    return value as Shape;
  };
}
