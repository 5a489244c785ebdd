// Shapes that several parts of the workbench share.
import Type from 'typebox';
import { IntegerId, mapOf, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { NotificationTrial } from '#messaging/notifications/index.ts';
import { type AnyCase, changeLevels, type Explanation, type FactValue as Value } from '#rules/rulesets/index.ts';

export const Sha256 = named('Sha256', Type.String({ maxLength: 64, pattern: '^[0-9a-f]{64}$' }));
export const FamilyName = named('FamilyName', Type.String({ maxLength: 40, pattern: '^[a-z][a-z0-9-]{0,39}$' }));
export const KeyName = named('KeyName', Type.String({ maxLength: 80, pattern: '^[a-z0-9][a-z0-9-]{0,79}$' }));
export const VersionNumber = named('VersionNumber', Type.Integer({ minimum: 1, maximum: 999_999_999 }));
const namePattern = '^[a-z][a-z0-9-]{0,39}/[a-z0-9][a-z0-9-]{0,79}$';
/** `family/key` → version. */
export const VersionMap = named('VersionMap', mapOf(namePattern, VersionNumber, { maxProperties: 500 }));
export const DiffLevel = nullable(oneOf(changeLevels));
export const UserIds = Type.Array(IntegerId);

/** Where an imported text comes from; null for one that was written here or came with a release. */
export const OriginView = nullable(
  named('Origin', object({ service: nullable(Type.String()), version: VersionNumber, sha256: Sha256 })),
);

/** The names of sections, facts and parameters of rules. */
const name = '^[a-z][A-Za-z0-9]*$';
/** The bound of sections of a document and of facts of a case: several times what the largest shipped one has. */
const mostMembers = { maxProperties: 500 };
const shortText = Type.String({ maxLength: 200 });
const longText = Type.String({ maxLength: 2_000 });
/** The bound of cases of one document. */
export const mostCases = 2_000;

/** Only the names of sections are checked here, since validation applies the strict schema of each document. */
export const AnyDocument = named('AnyDocument', Type.Unsafe<object>(mapOf(name, Type.Unknown(), mostMembers)));

const FactValue = named('FactValue', Type.Union([Type.Number(), longText, Type.Boolean()]));
const Facts = named('Facts', Type.Unsafe<Readonly<Record<string, Value>>>(mapOf(name, FactValue, mostMembers)));

const ExpectedHit = named('ExpectedHit', object({ ruleId: shortText, outcome: shortText }));
const TableCase = object({
  name: longText,
  facts: Facts,
  expected: Type.Union([ExpectedHit, Type.Array(ExpectedHit, { maxItems: 500 })]),
  acceptedChange: Type.Optional(longText),
});
/** A case of a document of values: the family defines what it holds beside its name. */
const ValueCase = mapOf(name, Type.Unknown(), mostMembers);
export const GoldenCaseView = named('GoldenCase', Type.Unsafe<AnyCase>(Type.Union([TableCase, ValueCase])));

/** A box of the table: its conditions, one sample in it, and its share of the space from 0 to 1. */
export const BoxSchema = named('BoxSchema', object({ conditions: AnyDocument, sample: Facts, share: Type.Number() }));

const TracedLeaf = object({
  fact: Type.String(),
  operator: Type.String(),
  value: Type.Unknown(),
  valueRef: Type.Optional(Type.String()),
  at: Type.String(),
  actual: FactValue,
  negated: Type.Boolean(),
});
const TraceStep = named(
  'TraceStep',
  object({
    ruleId: Type.String(),
    failed: Type.Optional(TracedLeaf),
    held: Type.Optional(Type.Array(TracedLeaf)),
  }),
);
const Trace = Type.Array(TraceStep);

const FlipDistanceView = nullable(
  object({
    changes: Type.Array(object({ fact: Type.String(), from: FactValue, to: FactValue })),
    distance: Type.Number(),
    ruleId: Type.String(),
    outcome: Type.String(),
    facts: Facts,
  }),
);

const Constants = named('Constants', mapOf('^[A-Z][A-Z0-9-]*$', AnyDocument));
const Hit = { ruleId: Type.String(), outcome: Type.String(), params: AnyDocument };

/** The answer of a first-hit table, all hits of a collect table, or the text of a kind of notification. */
export const TryAnswer = Type.Unsafe<Explanation | object>(
  Type.Union([
    object({ ...Hit, trace: Trace, constants: Constants, flipDistance: FlipDistanceView }),
    object({ hits: Type.Array(object(Hit)), trace: Trace, constants: Constants }),
    NotificationTrial,
  ]),
);
/** Only fields of payloads may be null. */
export const TryFacts = Type.Unsafe<Readonly<Record<string, Value | null>>>(
  mapOf(name, nullable(FactValue), mostMembers),
);
export const TryBody = object({ facts: TryFacts });
