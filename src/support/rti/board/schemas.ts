// Schemas of the board of a class.
import Type from 'typebox';
import { IntegerId, IntegerIdText, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { RuleId } from '#rules/rulesets/index.ts';
import { fidelityGates } from '../../interventions/index.ts';
import { responses, rtiAlertKinds } from '../engine/vocabulary.ts';
import { RtiVersions, SupportTierSchema } from '../recommendation/schemas.ts';
import { quadrantNames } from './quadrants.ts';

export const boardParams = object({ classId: IntegerIdText });

const ResponseSquare = named('ResponseSquare', object({ delivery: oneOf(fidelityGates), response: oneOf(responses) }));

const BoardItem = named(
  'RtiBoardItem',
  object({
    studentId: IntegerId,
    tier: SupportTierSchema,
    weeksInTier: Type.Integer({ minimum: 0 }),
    openAlertKind: nullable(oneOf(rtiAlertKinds)),
    gate: oneOf(fidelityGates),
    progress: oneOf(responses),
    ruleId: RuleId,
    responseSquare: nullable(ResponseSquare),
  }),
);

export const BoardView = named(
  'RtiBoard',
  object({
    classId: IntegerId,
    items: Type.Array(BoardItem),
    /** `<delivery>_<response>` → students; quadrants with a student only. */
    squares: mapOf(`^(${quadrantNames.join('|')})$`, Type.Integer({ minimum: 1 })),
    asOf: Timestamp,
    ruleVersions: RtiVersions,
  }),
);
