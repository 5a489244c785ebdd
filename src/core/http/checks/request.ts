// Parses and checks the parts of a request against the schemas of its route, which are compiled once per route.
import type { IncomingMessage } from 'node:http';
import { AppError, asBadBody, notFound } from '../../platform/errors.ts';
import type { Route } from '../route.ts';
import { parsedBody, type RawBody } from './body.ts';
import {
  checkJson,
  checkTextValues,
  maxDetails,
  namedIn,
  refuseInvalid,
  refuseInvalidBody,
  type SchemaCheck,
} from './validation.ts';

export interface RequestChecks {
  readonly params: SchemaCheck;
  readonly query: SchemaCheck;
  readonly body: SchemaCheck;
  readonly acceptsForm: boolean;
  readonly bodyFaultStatus: Route['bodyFaultStatus'];
}

const noInputAccepted: SchemaCheck = (value) =>
  Object.keys(value as object)
    .slice(0, maxDetails)
    .map((field) => ({ field: namedIn(field), issue: 'is not accepted' }));

export function requestChecksOf(route: Route): RequestChecks {
  return {
    params: route.params ? checkTextValues(route.params) : () => [],
    query: route.query ? checkTextValues(route.query) : noInputAccepted,
    body: route.body ? checkJson(route.body) : noInputAccepted,
    acceptsForm: route.acceptsForm,
    bodyFaultStatus: route.bodyFaultStatus,
  };
}

/** Throws NOT_FOUND for a malformed id in the path, as for an unknown one. */
export function pathParams(checks: RequestChecks, input: Readonly<Record<string, string>>): Record<string, string> {
  const params = { ...input };
  if (checks.params(params).length > 0) throw notFound();
  return params;
}

/** Returns the refusal of `pathParams` instead of throwing it, for callers that are authenticated later. */
export function pathParamsOrRefusal(checks: RequestChecks, input: Readonly<Record<string, string>>) {
  try {
    return pathParams(checks, input);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

export interface Content {
  readonly message: IncomingMessage;
  readonly query: URLSearchParams;
  /** Undefined if the method has no body. */
  readonly raw: RawBody | undefined;
}

/** Throws VALIDATION_ERROR. */
export function validated(checks: RequestChecks, content: Content): { query: unknown; body: unknown } {
  const query = queryValues(content.query);
  refuseInvalid(checks.query(query));
  if (content.raw === undefined) return { query, body: {} };
  return { query, body: checkedBody(checks, content.message, content.raw) };
}

function checkedBody(checks: RequestChecks, message: IncomingMessage, raw: RawBody): unknown {
  try {
    const body = parsedBody(message, raw, checks.acceptsForm);
    if (!isCheckedAlready(raw)) refuseInvalidBody(checks.body, body, raw.sizeBytes);
    return body;
  } catch (error) {
    const isFault = error instanceof AppError && error.code === 'VALIDATION_ERROR';
    throw isFault && checks.bodyFaultStatus === 400 ? asBadBody(error) : error;
  }
}

const isCheckedAlready = ({ content }: RawBody) => 'value' in content && content.digest !== undefined;

function queryValues(search: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(values, name)) refuseInvalid([{ field: name, issue: 'is given twice' }]);
    if (value.includes('\0')) refuseInvalid([{ field: name, issue: 'holds characters that are not text' }]);
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return values;
}
