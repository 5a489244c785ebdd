// Request and response schemas of the engine's own operations.
import Type from 'typebox';
import {
  Cuid,
  IntegerId,
  IntegerIdText,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { gradeBands } from '../../content/index.ts';
import { diagnosticStatuses, estimateStopReasons } from '../enums.ts';
import { priorRange } from '../scoring/engine/eap.ts';

const ItemId = named('ItemId', Type.String({ minLength: 1, maxLength: 64 }));
const Scored = named(
  'Scored',
  Type.Union([
    object({ itemId: ItemId, selectedOptionIndex: Type.Integer({ minimum: 0, maximum: 9 }) }),
    object({ itemId: ItemId, correct: Type.Boolean() }),
  ]),
);

export const ScoreBody = named(
  'ScoreBody',
  object({
    subSkillCode: Type.String({ minLength: 1, maxLength: 40 }),
    gradeBand: oneOf(gradeBands),
    responses: Type.Array(Scored, { maxItems: 100 }),
    priorTheta: Type.Optional(Type.Number({ minimum: priorRange.mean.min, maximum: priorRange.mean.max })),
    priorSE: Type.Optional(Type.Number({ minimum: priorRange.sd.min, maximum: priorRange.sd.max })),
    seenItemIds: Type.Optional(Type.Array(ItemId, { maxItems: 500 })),
  }),
);

export const ScoreAnswer = named(
  'ScoreAnswer',
  object({
    outcome: oneOf(['scored', 'insufficient_data', 'no_eligible_item']),
    newTheta: nullable(Type.Number()),
    newSE: nullable(Type.Number()),
    calibrationVersion: Type.String(),
    nextItemId: nullable(Type.String()),
    selectionTier: nullable(Type.Integer({ minimum: 1, maximum: 6 })),
    calibrationProvisional: Type.Boolean(),
    n: Type.Integer(),
  }),
);

const Estimate = named(
  'Estimate',
  object({
    subSkillCode: Type.String(),
    theta: nullable(Type.Number()),
    se: nullable(Type.Number()),
    n: Type.Integer(),
    calibrationProvisional: Type.Boolean(),
    stopReason: oneOf(estimateStopReasons),
  }),
);

const PinnedVersions = named(
  'PinnedVersions',
  object({
    catalogueVersion: Type.String(),
    bankVersion: Type.String(),
    calibrationVersion: Type.String(),
    formsVersion: Type.String(),
    benchmarkProfile: nullable(object({ key: Type.String(), version: Type.Integer() })),
    gradeBand: oneOf(gradeBands),
  }),
);

const Status = named('DiagnosticStatus', oneOf(diagnosticStatuses));

export const EngineSession = named(
  'EngineSession',
  object({
    sessionId: Cuid,
    studentId: IntegerId,
    status: Status,
    formCode: Type.String(),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp),
    voidId: nullable(IntegerId),
    pinnedVersions: PinnedVersions,
    estimates: Type.Array(Estimate),
    responses: Type.Array(
      object({
        seq: Type.Integer(),
        itemId: Type.String(),
        subSkillCode: Type.String(),
        selectedOptionIndex: nullable(Type.Integer()),
        skipped: Type.Boolean(),
        correct: Type.Boolean(),
        latencyMs: Type.Integer(),
        selectionTier: Type.Integer(),
        difficulty: Type.Number(),
      }),
    ),
  }),
);

export const EngineSessionList = page(
  object({
    sessionId: Cuid,
    status: Status,
    formCode: Type.String(),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp),
    voidId: nullable(IntegerId),
    answered: Type.Integer(),
  }),
);

const Value = named('Value', Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]));
export const ReplayAnswer = named(
  'ReplayAnswer',
  object({
    sessionId: Cuid,
    pinnedVersions: PinnedVersions,
    stored: Type.Array(Estimate),
    replayed: Type.Array(Estimate),
    mismatches: Type.Array(
      object({ subSkillCode: Type.String(), field: Type.String(), stored: Value, replayed: Value }),
    ),
    match: Type.Boolean(),
    rowsWritten: Type.Literal(0),
  }),
);

export const sessionParams = object({ sessionId: Cuid });
export const studentParams = object({ studentId: IntegerIdText });
export const engineListQuery = object(pageQuery);
