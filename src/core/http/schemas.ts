// Schemas that all capabilities use: ids, times, pages, the error envelope.
import Type, { type Static, type TSchema } from 'typebox';
import { errorStatus } from '../platform/errors.ts';
import { defaultLimit, maxCursor } from './pages.ts';

const closed = { additionalProperties: false } as const;

/** An object that accepts exactly its properties. */
export const object: typeof Type.Object = (properties, options) => Type.Object(properties, { ...closed, ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * Gives a schema a name of its own in the API description, so that generated clients have one type for it. Two different schemas
 * with one name are refused when the description is generated.
 */
export const named = <T extends TSchema>(title: string, schema: T): T => Object.assign(schema, { title });

/** A name of a person, class, school or organization in a request. */
export const nameText = (title: string) =>
  named(
    title,
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      'x-typed': 'name',
      description: 'Read in NFC, with single blanks, without controls and marks of direction, trimmed.',
    }),
  );

/** An answer without a body, such as 304. */
export const Nothing = Type.Unsafe<undefined>({ not: {} });

/** How many there are of something, or a number that counts up from 0. */
export const Count = Type.Integer({ minimum: 0 });
/** A positive integer below 2^53. */
export const IntegerId = named('IntegerId', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));
/** An IntegerId in a path. */
export const IntegerIdText = named('IntegerIdText', Type.String({ maxLength: 16, pattern: '^[1-9][0-9]{0,15}$' }));
export const Cuid = named('Cuid', Type.String({ maxLength: 24, pattern: '^[a-z][a-z0-9]{23}$' }));
/** An id that a client has generated. */
export const Uuid = named(
  'Uuid',
  Type.String({ maxLength: 36, pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }),
);
/** ISO 8601 UTC with milliseconds. */
export const Timestamp = named(
  'Timestamp',
  Type.String({
    maxLength: 24,
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  }),
);
export const CalendarDate = named('CalendarDate', Type.String({ maxLength: 10, format: 'date' }));
/** A date that a person enters: of the years 2000 to 2100, so that a year of another calendar is refused. */
export const EnteredDate = named(
  'EnteredDate',
  Type.String({ maxLength: 10, format: 'date', pattern: '^(20\\d{2}|2100)-' }),
);
/** A school year that a person enters, of the same years. */
export const EnteredSchoolYear = named(
  'EnteredSchoolYear',
  Type.String({ maxLength: 9, pattern: '^20\\d{2}-(20\\d{2}|2100)$' }),
);
export const SchoolYearName = named('SchoolYear', Type.String({ maxLength: 9, pattern: '^\\d{4}-\\d{4}$' }));

export const idParams = object({ id: IntegerIdText });
export const cuidParams = object({ id: Cuid });
export const classParams = object({ classId: IntegerIdText });

/** One of a closed list of values. */
export const oneOf = <T extends string>(values: readonly T[], options: { readonly description?: string } = {}) =>
  Type.Enum([...values], options);

/** A map whose keys match a pattern and whose values have one schema. Maps in requests are bounded by `maxProperties`. */
export const mapOf = <T extends TSchema>(
  keyPattern: string,
  value: T,
  bound: { readonly maxProperties?: number } = {},
) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    ...bound,
    patternProperties: { [keyPattern]: value },
    additionalProperties: false,
  });

/** No body, or an empty object. */
export const Empty = object({});
export const NoContent = Type.Undefined();

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: maxCursor })),
};

export const page = <T extends TSchema>(item: T) =>
  object({ items: Type.Array(item), nextCursor: nullable(Type.String()) });

export const ErrorEnvelope = named(
  'Error',
  object({
    code: Type.Enum(Object.keys(errorStatus)),
    message: Type.String(),
    details: Type.Optional(Type.Array(object({ field: Type.String(), issue: Type.String() }))),
    retryAfter: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
);
