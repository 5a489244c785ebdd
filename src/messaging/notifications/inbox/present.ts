// A notification for its recipient, as it was rendered.
import type { Notification } from '../notification.ts';
import type { Payload } from '../schemas.ts';

export const presentNotification = ({
  id,
  kind,
  severity,
  renderedTitleAr,
  renderedBodyAr,
  payload,
  deliveryState,
  createdAt,
  readAt,
  dismissedAt,
}: Notification) => ({
  ...{ id, kind, severity, renderedTitleAr, renderedBodyAr, payload: { ...payload } as Payload },
  ...{ deliveryState, createdAt, readAt, dismissedAt },
});
