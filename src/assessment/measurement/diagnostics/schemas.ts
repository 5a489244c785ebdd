// Request and response schemas of the student's diagnostic.
import Type from 'typebox';
import { Cuid, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { itemTypes } from '../../content/index.ts';
import { diagnosticEventTypes, diagnosticStatuses, finishReasons } from '../enums.ts';

const Status = named('DiagnosticStatus', oneOf(diagnosticStatuses));
const Progress = named('Progress', object({ answered: Type.Integer(), maxItems: Type.Integer() }));

export const StudentSession = named(
  'StudentSession',
  object({
    sessionId: Cuid,
    status: Status,
    formCode: Type.String(),
    partIndex: Type.Integer(),
    partCount: Type.Integer(),
    startedAt: Timestamp,
    expiresAt: Timestamp,
    activeMsUsed: Type.Integer(),
    activeMsCap: Type.Integer(),
    progress: Progress,
    resumed: Type.Boolean(),
  }),
);

export const StartBody = object({ formCode: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })) });

const ServedOptionView = named(
  'ServedOption',
  object({
    index: Type.Integer(),
    text: Type.String(),
    speech: nullable(Type.String()),
    audioUrl: nullable(Type.String()),
  }),
);

export const ServedItemView = named(
  'ServedItem',
  object({
    servedItemId: Cuid,
    itemId: Type.String(),
    seq: Type.Integer(),
    itemType: named('ItemType', oneOf(itemTypes)),
    prompt: object({
      text: Type.String(),
      speech: Type.String(),
      audioUrl: nullable(Type.String()),
      passage: nullable(Type.String()),
    }),
    options: Type.Array(ServedOptionView),
    expectedSeconds: Type.Integer(),
  }),
);

export const NextItem = named(
  'NextItem',
  object({
    outcome: oneOf(['item_served', 'no_eligible_item', 'session_complete', 'time_cap_reached']),
    served: nullable(ServedItemView),
    progress: Progress,
  }),
);

const latency = {
  latencyMs: Type.Integer({ minimum: 0, maximum: 900_000 }),
  optionChanges: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
};
const ChosenBody = named(
  'ChosenBody',
  object({
    servedItemId: Cuid,
    selectedOptionIndex: Type.Integer({ minimum: 0, maximum: 9 }),
    ...latency,
  }),
);
const SkippedBody = named('SkippedBody', object({ servedItemId: Cuid, skipped: Type.Literal(true), ...latency }));

export const ResponseBody = named('ResponseBody', Type.Union([ChosenBody, SkippedBody]));
export const ResponseAccepted = named(
  'ResponseAccepted',
  object({ accepted: Type.Literal(true), seq: Type.Integer(), progress: Progress }),
);

export const EventsBody = named(
  'EventsBody',
  object({
    events: Type.Array(
      object({
        type: oneOf(diagnosticEventTypes),
        servedItemId: Type.Optional(Cuid),
        at: Type.String({ format: 'date-time', maxLength: 40 }),
        durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 900_000 })),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
);
export const EventsAccepted = named('EventsAccepted', object({ accepted: Type.Integer(), status: Status }));

export const Finished = named(
  'Finished',
  object({
    sessionId: Cuid,
    status: Type.Literal('FINISHED'),
    finishReason: oneOf(finishReasons),
    answered: Type.Integer(),
    nextFormCode: nullable(Type.String()),
  }),
);
