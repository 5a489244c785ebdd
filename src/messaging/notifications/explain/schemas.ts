// Schemas of the explanation of a notification. It holds the template and the ids of the payload, and no text with a name.
import Type, { type Static } from 'typebox';
import { IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { tiers } from '#rules/language/index.ts';
import { explainedFrame } from '#rules/rulesets/index.ts';
import { deliveryStates, severities } from '../enums.ts';
import { Payload } from '../schemas.ts';

const Document = Type.String({ description: 'Rule document and version, as in `language/staff@1`.' });

/** The checks of a dispatch in their order, evaluated again. */
export const NotificationCheck = named(
  'NotificationCheck',
  Type.Union([
    object({ check: Type.Literal('kind'), by: Document, outcome: oneOf(['active', 'not_active']) }),
    object({ check: Type.Literal('payload'), by: Document, outcome: oneOf(['fits', 'does_not_fit']) }),
    object({ check: Type.Literal('text'), by: Document, outcome: oneOf(['same', 'other']) }),
    object({ check: Type.Literal('filter'), by: Document, outcome: oneOf(['safe', 'unsafe', 'no_rules']) }),
  ]),
);
export type NotificationCheck = Static<typeof NotificationCheck>;

export const ExplainedNotification = named(
  'ExplainedNotification',
  object({
    ...explainedFrame,
    kind: Type.Literal('notification'),
    /** Null for a notification that is about no child. */
    studentId: nullable(IntegerId),
    result: object({
      ...{ kind: Type.String(), severity: oneOf(severities), deliveryState: oneOf(deliveryStates) },
      ...{ recipientUserId: IntegerId, tier: oneOf(tiers), payload: Payload, count: Type.Integer({ minimum: 1 }) },
    }),
    from: object({
      source: object({ type: Type.String(), id: Type.String() }),
      /** In order of occurrence; the topic is null when the event has been removed since. */
      events: Type.Array(object({ eventId: IntegerId, topic: nullable(Type.String()), askedAt: Timestamp })),
      ...{ titleTemplateAr: Type.String(), bodyTemplateAr: Type.String() },
    }),
    checks: Type.Array(NotificationCheck),
  }),
);
export type ExplainedNotification = Static<typeof ExplainedNotification>;
