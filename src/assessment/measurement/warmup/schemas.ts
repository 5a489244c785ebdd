// Request and response schemas of the warm-up.
import Type from 'typebox';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { ServedItemView } from '../diagnostics/schemas.ts';
import { warmupEventTypes, warmupStatuses, warmupTypes } from '../enums.ts';

const SessionType = named('SessionType', oneOf(warmupTypes));
const Status = named('WarmupStatus', oneOf(warmupStatuses));
const Milliseconds = named('Milliseconds', Type.Integer({ minimum: 0 }));
const largestInteger = 2_147_483_647;

export const StartWarmupBody = named('StartWarmupBody', object({ sessionType: SessionType }));

export const WarmupView = named(
  'Warmup',
  object({
    warmupSessionId: Cuid,
    sessionType: SessionType,
    status: Status,
    durationSeconds: Type.Integer(),
    remainingMs: Milliseconds,
    items: Type.Array(ServedItemView),
  }),
);
export const NothingToWarmUp = named(
  'NothingToWarmUp',
  object({ outcome: Type.Literal('no_eligible_item'), served: Type.Null() }),
);

export const WarmupEventsBody = named(
  'WarmupEventsBody',
  object({
    events: Type.Array(
      object({
        seq: Type.Integer({ minimum: 1, maximum: largestInteger }),
        type: oneOf(warmupEventTypes),
        /** The rules define the length at which a warm-up ends. */
        atMs: Type.Integer({ minimum: 0, maximum: largestInteger }),
        itemId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        selectedOptionIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
);
export const WarmupEventsAccepted = named(
  'WarmupEventsAccepted',
  object({
    accepted: Type.Integer(),
    duplicates: Type.Integer(),
    status: Status,
    remainingMs: Milliseconds,
  }),
);

export const WarmupCompleted = named(
  'WarmupCompleted',
  object({
    status: Status,
    answered: Type.Integer(),
  }),
);
export const WarmupResumed = named(
  'WarmupResumed',
  object({ status: Type.Literal('RUNNING'), remainingMs: Milliseconds }),
);

const Value = nullable(Type.Union([Type.String(), Type.Number()]));
export const WarmupReplayBody = named('WarmupReplayBody', object({ warmupSessionId: Cuid }));
export const WarmupReplay = named(
  'WarmupReplay',
  object({
    warmupSessionId: Cuid,
    planMatch: Type.Boolean(),
    summaryMatch: Type.Boolean(),
    mismatches: Type.Array(object({ field: Type.String(), stored: Value, derived: Value })),
    ruleVersions: object({ 'scoring/measurement': Type.Integer(), 'content/item-bank': Type.Integer() }),
    rowsWritten: Type.Literal(0),
  }),
);
