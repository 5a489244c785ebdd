// Schemas of a new set of checks.
import Type, { type Static } from 'typebox';
import { named, object } from '#core/http/schemas.ts';
import { checkFields } from '#messaging/qa/index.ts';

const { kind, subject, probe, ...open } = checkFields;

/** Fields that the catalogue fixes may be sent along unchanged. */
const ChangedCheck = named(
  'ChangedQaCheck',
  object({ ...open, kind: Type.Optional(kind), subject: Type.Optional(subject), probe: Type.Optional(probe) }),
);

export const ChecksBody = object({
  baseVersion: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  checks: Type.Array(ChangedCheck, { minItems: 1, maxItems: 200 }),
});
export type ChecksBody = Static<typeof ChecksBody>;

export const PublishedChecks = named(
  'PublishedQaChecks',
  object({ ruleVersion: Type.String(), version: Type.Integer({ minimum: 1 }), sha256: Type.String() }),
);
