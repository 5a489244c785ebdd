// Schemas of the platform alert log.
import Type from 'typebox';
import { IntegerId, named, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { alertKinds, alertSeverities } from '#core/module/alerts.ts';

export const PlatformAlertQuery = named('PlatformAlertQuery', object(pageQuery));
export const PlatformAlertView = page(
  object({
    alertId: IntegerId,
    kind: oneOf(alertKinds),
    code: Type.String(),
    severity: oneOf(alertSeverities),
    studentId: IntegerId,
    at: Timestamp,
  }),
);
