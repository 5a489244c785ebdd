// Schemas of a lesson for students and of their answers: without keys, bundle, tier and other students.
import Type from 'typebox';
import { Count, Cuid, IntegerId, named, object, page, pageQuery } from '#core/http/schemas.ts';
import { LessonItem } from '../../lesson-blueprints/index.ts';

const maxItems = 40;

export const AssignedQuery = object(pageQuery);
export const AssignedList = page(
  named(
    'AssignedSession',
    object({
      sessionId: Cuid,
      titleAr: Type.String(),
      items: Type.Array(LessonItem),
      /** The number of answered items. */
      answered: Type.Integer({ minimum: 0, maximum: maxItems }),
    }),
  ),
);

const ClientId = Type.String({ maxLength: 36, format: 'uuid' });

const answer = {
  clientResponseId: ClientId,
  itemRef: Type.String({ minLength: 1, maxLength: 32 }),
  selectedOptionIndex: Type.Integer({ minimum: 0, maximum: 4 }),
  supportUsed: Type.Optional(Type.Boolean()),
};

export const ResponsesBody = named(
  'SessionResponses',
  object({
    responses: Type.Array(named('SessionResponse', object(answer)), { minItems: 1, maxItems }),
  }),
);

/** Answers that a classroom device has collected during a day without network. */
export const OfflineBody = named(
  'OfflineResponses',
  object({
    responses: Type.Array(named('OfflineResponse', object({ studentId: IntegerId, ...answer })), {
      minItems: 1,
      maxItems: 1_000,
    }),
  }),
);

export const AcceptedResponses = named('AcceptedResponses', object({ accepted: Count, duplicates: Count }));
