// Request and response schemas of an inbox.
import Type from 'typebox';
import { Count, Cuid, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { deliveryStates, severities } from '../enums.ts';
import { Payload } from '../schemas.ts';

/** `kinds`: those of all capabilities. */
export const inboxQuery = (kinds: readonly string[]) =>
  object({
    ...pageQuery,
    state: Type.Optional(oneOf(deliveryStates)),
    kind: Type.Optional(oneOf(kinds)),
    severity: Type.Optional(oneOf(severities)),
  });

export const NotificationView = named(
  'Notification',
  object({
    id: Cuid,
    kind: Type.String(),
    severity: oneOf(severities),
    renderedTitleAr: Type.String(),
    renderedBodyAr: Type.String(),
    payload: Payload,
    deliveryState: oneOf(deliveryStates),
    createdAt: Timestamp,
    readAt: nullable(Timestamp),
    dismissedAt: nullable(Timestamp),
  }),
);
export const NotificationPage = page(NotificationView);

export const UnreadView = named('UnreadNotifications', object({ count: Count }));
/** Notifications that arrived after `upTo` stay unread. */
export const ReadAllBody = object({ upTo: Type.Optional(Cuid) });
export const UpdatedView = named('ReadNotifications', object({ updated: Count }));
