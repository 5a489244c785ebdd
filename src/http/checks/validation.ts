// What is wrong with a request or an answer, in the words that the contract has for it.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { AppError, type ErrorDetail } from '../../platform/errors.ts';
import { jsonValidator, textValidator, type Validate } from '../../platform/pure/json-schema.ts';
import { lengthFirst } from './length-first.ts';
import { saidOnce } from './said-once.ts';

const maxDetails = 20;
/** A name of the caller's own may be as long as the body. */
const maxFieldLength = 200;

export interface Check {
  (value: unknown): readonly ErrorDetail[];
  /** Where something has to be compiled: by the first use, if not before. */
  readonly compile?: (() => void) | undefined;
}

/** Checks a JSON value as it stands; `[]` means valid. */
export const checkJson = onceASchema((schema) => check(jsonValidator(() => lengthFirst(saidOnce(schema)))));

/** Checks text values, coercing them in place to the schema's types and filling defaults. */
export const checkText = onceASchema(checkOfText);

/** Many routes share a schema, and a process may serve them more than once: it is compiled for the first. */
function onceASchema(make: (schema: TSchema) => Check): (schema: TSchema) => Check {
  const made = new WeakMap<TSchema, Check>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
}

function checkOfText(schema: TSchema): Check {
  const checkShape = check(textValidator(() => lengthFirst(saidOnce(schema))));
  const checked = (value: unknown) => [...checkShape(value), ...nonFiniteIssues(value)];
  return Object.assign(checked, { compile: checkShape.compile });
}

/** `1e400` is text for Infinity, which slips past a maximum. */
function nonFiniteIssues(value: unknown): ErrorDetail[] {
  return Object.entries(value as object)
    .filter(([, member]) => typeof member === 'number' && !Number.isFinite(member))
    .map(([field]) => ({ field, issue: 'must be a finite number' }));
}

const check = (validate: Validate): Check =>
  Object.assign((value: unknown) => describe(validate(value)), { compile: validate.compile });

function describe(errors: readonly ErrorObject[]): readonly ErrorDetail[] {
  const details = errors.filter((error) => error.keyword !== 'if').map(detailOf);
  const seen = new Set<string>();
  return details
    .filter(({ field, issue }) => !seen.has(`${field} ${issue}`) && seen.add(`${field} ${issue}`))
    .slice(0, maxDetails);
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { field, issue } = wholeDetailOf(error);
  return { field: field.slice(0, maxFieldLength).toWellFormed(), issue };
}

function wholeDetailOf(error: ErrorObject): ErrorDetail {
  const at = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'additionalProperties') {
    return { field: [...at, error.params.additionalProperty].join('.'), issue: 'is not accepted' };
  }
  if (error.keyword === 'required') {
    return { field: [...at, error.params.missingProperty].join('.'), issue: 'is required' };
  }
  // A union told apart by a property: what is wrong is that property, not the object around it.
  if (error.keyword === 'discriminator') {
    return { field: [...at, error.params.tag].join('.'), issue: 'is not one of the known values' };
  }
  return { field: at.join('.'), issue: error.message ?? 'is not valid' };
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Throws VALIDATION_ERROR when there are details. `prefix` names the part of the request, for example `query`. */
export function refuseInvalid(details: readonly ErrorDetail[]): void {
  if (details.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'The request is not valid; details name each field.', { details });
}
