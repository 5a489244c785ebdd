// Schemas of signals and events of a live lesson.
import Type from 'typebox';
import { Count, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import {
  liveResponseSources,
  liveSignals,
  liveStates,
  observationCodes,
  ownRunStates,
  staffEventTypes,
} from '../enums.ts';

const ClientId = Type.String({ maxLength: 36, format: 'uuid' });
const maxEvents = 50;

export const SignalsBody = object({
  events: Type.Array(object({ clientEventId: ClientId, type: oneOf(liveSignals) }), {
    minItems: 1,
    maxItems: maxEvents,
  }),
});

export const Recorded = named('LiveEventsRecorded', object({ accepted: Count, duplicates: Count }));

const polledDetail = {
  studentId: Type.Optional(IntegerId),
  itemRef: Type.Optional(nullable(Type.String())),
  state: Type.Optional(oneOf(liveStates)),
  responsesLocked: Type.Optional(Type.Boolean()),
  observationCode: Type.Optional(oneOf(observationCodes)),
  runId: Type.Optional(Type.String()),
  runState: Type.Optional(oneOf(ownRunStates)),
  committed: Type.Optional(Count),
  skipped: Type.Optional(Count),
};

const event = { seq: Type.Integer({ minimum: 1 }), type: oneOf(staffEventTypes), at: Timestamp };

/** An event of a poll, without the correctness of answers. For students the data is empty. */
export const PolledEvent = named(
  'LivePolledEvent',
  object({ ...event, data: named('LivePolledEventData', object(polledDetail)) }),
);

const listedDetail = {
  ...polledDetail,
  source: Type.Optional(oneOf(liveResponseSources)),
  correct: Type.Optional(Type.Boolean()),
  subSkillCode: Type.Optional(nullable(Type.String())),
};

export const LiveEventView = named(
  'LiveEvent',
  object({ ...event, data: named('LiveEventData', object(listedDetail)) }),
);

export const LiveEventPage = named('LiveEventPage', page(LiveEventView));
export const eventsQuery = object(pageQuery);
