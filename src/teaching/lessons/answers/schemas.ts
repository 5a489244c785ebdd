// Schemas of what students receive of a blueprint session and answer in it: no key, no bundle, no tier, nobody else.
import Type from 'typebox';
import { Count, Cuid, IntegerId, named, object, page, pageQuery } from '#core/http/schemas.ts';
import { SessionItem } from '../../lesson-blueprints/index.ts';

const mostItems = 40;

export const AssignedQuery = object(pageQuery);
export const AssignedList = page(
  named(
    'AssignedSession',
    object({
      sessionId: Cuid,
      titleAr: Type.String(),
      items: Type.Array(SessionItem),
      /** So many of the items. */
      answered: Type.Integer({ minimum: 0, maximum: mostItems }),
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
    responses: Type.Array(named('SessionResponse', object(answer)), { minItems: 1, maxItems: mostItems }),
  }),
);

/** What a device of a classroom has kept of a day without network. */
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
