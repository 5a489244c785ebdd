// Request and response schemas of changes of lessons.
import Type from 'typebox';
import { Count, Cuid, EnteredDate, IntegerId, named, object, oneOf } from '#core/http/schemas.ts';
import { deliveryModes } from '#support/interventions/index.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });
const maxRecipients = 60;

export const LessonCreationBody = named(
  'SessionCreation',
  object({
    blueprintId: Cuid,
    classId: IntegerId,
    recipientStudentIds: Type.Array(IntegerId, { minItems: 1, maxItems: maxRecipients, uniqueItems: true }),
    deliveryMode: oneOf(deliveryModes),
    scheduledOn: Type.Optional(EnteredDate),
  }),
);

const SessionDelivery = named(
  'SessionDelivery',
  object({
    deliveredOn: EnteredDate,
    presentStudentIds: Type.Array(IntegerId, { maxItems: maxRecipients, uniqueItems: true }),
  }),
);

export const LessonEditBody = named(
  'SessionEdit',
  object(
    {
      scheduledOn: Type.Optional(EnteredDate),
      deliveryMode: Type.Optional(oneOf(deliveryModes)),
      removeItemRefs: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 40, uniqueItems: true }),
      ),
      segmentOrder: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), { minItems: 1, maxItems: 12, uniqueItems: true }),
      ),
      delivery: Type.Optional(SessionDelivery),
    },
    { minProperties: 1 },
  ),
);

export const CancellationBody = named('SessionCancellation', object({ reasonCode: Code }));
export const InclusionBody = named('SessionInclusion', object({ overrideCode: Type.Optional(Code) }));
export const DistributedView = named('DistributedSession', object({ sessionId: Cuid, distributed: Count }));
