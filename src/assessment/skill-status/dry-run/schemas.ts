// Schemas of a dry run: the request, and the results beside the stored ones.
import Type, { type TSchema } from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { Count, Cuid, IntegerId, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { modifiers, tileValues } from '../engine/vocabulary.ts';
import { SeverePath, Status } from '../results/enum-schemas.ts';

const nameOfDocument = '^[a-z-]+/[a-z0-9-]+$';
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const DryRunBody = named(
  'DryRunBody',
  object({
    studentId: IntegerId,
    evidenceWindow: object({ from: InstantText, to: InstantText }),
    proposedVersions: Type.Optional(mapOf(nameOfDocument, Version, { maxProperties: 500 })),
    proposedChange: Type.Optional(Cuid),
  }),
);

const Modifiers = Type.Array(oneOf(modifiers));
const RuleId = nullable(Type.String());

const DryRunSkill = named(
  'DryRunSkill',
  object({
    status: Status,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed']),
    confidence: nullable(oneOf(['low', 'medium', 'high'])),
    decision_strength: nullable(oneOf(['tentative', 'moderate', 'strong'])),
    ruleId: RuleId,
    modifiers: Modifiers,
  }),
);
const DryRunDomain = named(
  'DryRunDomain',
  object({
    status: Status,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed', 'not_in_scope']),
    ruleId: RuleId,
    severePath: SeverePath,
    modifiers: Modifiers,
  }),
);
const DryRunTile = named(
  'DryRunTile',
  object({ status: oneOf([...tileValues, 'Not_Assessed']), severePath: SeverePath }),
);

const compared = <View extends TSchema>(view: View) => ({
  derived: view,
  stored: nullable(view),
  match: Type.Boolean(),
});

const FieldValue = nullable(Type.Union([Type.String(), Type.Array(Type.String())]));

export const DryRunView = named(
  'DryRun',
  object({
    studentId: IntegerId,
    asOf: Timestamp,
    evidenceWindow: object({ from: Timestamp, to: Timestamp }),
    storedRunId: nullable(Cuid),
    versionsUsed: mapOf(nameOfDocument, Version),
    subSkills: Type.Array(object({ subSkillCode: Type.String(), ...compared(DryRunSkill) })),
    domains: Type.Array(object({ domainCode: Type.String(), ...compared(DryRunDomain) })),
    tiles: Type.Array(object({ tileCode: Type.String(), ...compared(DryRunTile) })),
    mismatches: Type.Array(
      object({
        level: oneOf(['sub_skill', 'domain', 'tile']),
        code: Type.String(),
        field: Type.String(),
        stored: FieldValue,
        derived: FieldValue,
      }),
    ),
    mismatchCount: Count,
    rowsWritten: Type.Literal(0),
  }),
);
