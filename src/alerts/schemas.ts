// Shapes of the platform alert log.
import Type from 'typebox';
import { IntegerId, named, object, oneOf, page, pageQuery, Timestamp } from '../http/schemas.ts';

export const PlatformAlertQuery = named('PlatformAlertQuery', object(pageQuery));
export const PlatformAlertView = page(
  object({
    alertId: IntegerId,
    kind: oneOf(['qa', 'sub_flag']),
    code: Type.String(),
    severity: oneOf(['critical', 'high', 'medium', 'low']),
    studentId: IntegerId,
    at: Timestamp,
  }),
);
