// Describes the faults of a request or an answer in the words of the contract.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { AppError, type ErrorDetail } from '../../platform/errors.ts';
import { type CollectedFaults, jsonValidator, textValidator, type Validate } from '../../platform/pure/json-schema.ts';
import { hoistRefs } from '../../platform/pure/schemas/hoist-refs.ts';

export const maxDetails = 20;
export const namedIn = (field: string): string => field.slice(0, maxFieldLength).toWellFormed();
/** Only the first fault of a longer body is reported: collecting all takes memory for each. */
const allFaultsBelowBytes = 16 * 1024;
/** The limit of a reported name: names in a request may be as long as the body. */
const maxFieldLength = 200;

export interface SchemaCheck {
  /** Default: all faults. */
  (value: unknown, faults?: CollectedFaults): readonly ErrorDetail[];
  /** Compiles the schema; the first use does so too. */
  readonly compile?: (() => void) | undefined;
}

/** Checks a JSON value without changing it. An empty list means that it is valid. */
export const checkJson = oncePerSchema((schema) => check(jsonValidator(() => hoistRefs(schema))));

/** Checks text values, coercing them in place to the schema's types and filling defaults. */
export const checkTextValues = oncePerSchema(checkOfText);

/** Returns the schema of a body as JSON text, for checks in another thread. */
export const bodySchema = oncePerSchema((schema) => JSON.stringify(hoistRefs(schema)));

/** Computes the result once per schema: many routes share a schema, and a process may build several routers. */
function oncePerSchema<Result>(make: (schema: TSchema) => Result): (schema: TSchema) => Result {
  const results = new WeakMap<TSchema, Result>();
  return (schema) => {
    const known = results.get(schema) ?? make(schema);
    results.set(schema, known);
    return known;
  };
}

function checkOfText(schema: TSchema): SchemaCheck {
  const checkShape = check(textValidator(() => hoistRefs(schema)));
  const checked = (value: unknown) => [...checkShape(value), ...nonFiniteIssues(value)];
  return Object.assign(checked, { compile: checkShape.compile });
}

/** Reports infinite numbers: `1e400` is parsed to Infinity, which no maximum refuses. */
function nonFiniteIssues(value: unknown): ErrorDetail[] {
  return Object.entries(value as object)
    .filter(([, member]) => typeof member === 'number' && !Number.isFinite(member))
    .map(([field]) => ({ field, issue: 'must be a finite number' }));
}

export const check = (validate: Validate): SchemaCheck =>
  Object.assign((value: unknown, faults?: CollectedFaults) => describe(validate(value, faults)), {
    compile: validate.compile,
  });

function describe(errors: readonly ErrorObject[]): readonly ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    if (details.size === maxDetails) break;
    const detail = detailOf(error);
    details.set(`${detail.field} ${detail.issue}`, detail);
  }
  return [...details.values()];
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { field, issue } = wholeDetailOf(error);
  return { field: namedIn(field), issue };
}

function wholeDetailOf(error: ErrorObject): ErrorDetail {
  const at = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'additionalProperties') {
    return { field: [...at, error.params.additionalProperty].join('.'), issue: 'is not accepted' };
  }
  if (error.keyword === 'required') {
    return { field: [...at, error.params.missingProperty].join('.'), issue: 'is required' };
  }
  // The fault of a discriminated union is that of the discriminating property, not of the object around it.
  if (error.keyword === 'discriminator') {
    return { field: [...at, error.params.tag].join('.'), issue: 'is not one of the known values' };
  }
  if (error.keyword === 'format' && error.params.format === 'base64') {
    return { field: at.join('.'), issue: 'is not base64' };
  }
  if (error.keyword === 'enum') return { field: at.join('.'), issue: closedListIssue(error.params.allowedValues) };
  return { field: at.join('.'), issue: error.message ?? 'is not valid' };
}

const mostWords = 50;

/** Lists the allowed values; only the first ones of a long list. */
function closedListIssue(allowed: readonly unknown[]): string {
  const rest = allowed.length - mostWords;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return `must be equal to one of the allowed values: ${allowed.slice(0, mostWords).map(String).join(', ')}${more}`;
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Throws VALIDATION_ERROR when there are details. `prefix` names the part of the request, for example `query`. */
export function refuseInvalid(details: readonly ErrorDetail[]): void {
  if (details.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'The request is not valid; details name each field.', { details });
}

/** Throws VALIDATION_ERROR if the body does not match its schema. */
export function refuseInvalidBody(checkBody: SchemaCheck, body: unknown, sizeBytes: number): void {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject) refuseInvalid([{ field: '', issue: 'must be an object' }]);
  refuseInvalid(checkBody(body, sizeBytes <= allFaultsBelowBytes ? 'all' : 'first'));
}
