// The one ajv of the service: bodies and answers, rule documents, content files. A schema is compiled when it is first used:
// all of them at once would hold up every start.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const timeZones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that name no country: groupings, and those kept for private use (ISO 3166-1 leaves them free). */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  removeAdditional: false,
  discriminator: true,
  // That our own schemas are schemas is for a test to tell (tests/http/schemas), not for every start.
  validateSchema: false,
  // Shorter code is no faster code, and making it shorter takes a third of the time that compiling takes.
  code: { optimize: false },
  // What a schema says once is one function, and not written into each place that refers to it.
  inlineRefs: false,
  formats: {
    'iana-time-zone': (name: string) => timeZones.has(name),
    'iso-country': (code: string) =>
      /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regions.of(code) !== undefined,
  },
} as const;

const asItStands = addFormats(new Ajv2020(options));
/** Turns query and path text into values, and fills defaults. */
const fromText = addFormats(new Ajv2020({ ...options, coerceTypes: true, useDefaults: true }));

export interface Validate {
  /** What is wrong with a value; `[]` means nothing is. */
  (value: unknown): readonly ErrorObject[];
  /** Takes up to seconds for a large schema. The first use does it where nobody has done it before. */
  compile(): void;
}

/** Looks at a JSON value as it stands. `schema` is asked for once. */
export const jsonValidator = (schema: () => object): Validate => validator(asItStands, schema);

/** Looks at an object of texts, and changes them in place to what the schema says they are. */
export const textValidator = (schema: () => object): Validate => validator(fromText, schema);

function validator(ajv: Ajv2020, schema: () => object): Validate {
  let compiled: ReturnType<Ajv2020['compile']> | undefined;
  const compile = () => {
    compiled ??= ajv.compile(schema());
    return compiled;
  };
  const validate = (value: unknown) => {
    const isValid = compile();
    return isValid(value) ? [] : (isValid.errors ?? []);
  };
  return Object.assign(validate, { compile });
}

/** A file of another kind is wrong in each of its lines; the first few say enough. */
const mostTold = 3;

/** Answers a file's content as what its schema says it is. Throws RangeError that names `subject` and what is wrong. */
export function shapeOf<Shape>(schema: object): (value: unknown, subject: string) => Shape {
  const validate = jsonValidator(() => schema);
  return (value, subject) => {
    const errors = validate(value);
    if (errors.length > 0) throw new RangeError(`${subject}: ${asItStands.errorsText(errors.slice(0, mostTold))}`);
    return value as Shape;
  };
}
