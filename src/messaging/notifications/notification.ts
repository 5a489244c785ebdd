// Rows of notifications, stored as rendered. Only what the recipient does changes a row.

import { Row } from '#core/platform/model.ts';
import type { Tier } from '#rules/language/index.ts';
import type { DeliveryState, Severity } from './enums.ts';

export class Notification extends Row {
  static override tableName = 'notification';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['payload', 'ruleVersions'];
  declare organizationId: string;
  declare id: string;
  declare recipientUserId: number;
  /** The code in the API. */
  declare kind: string;
  declare severity: Severity;
  /** Derived from the severity; an inbox lists urgent ones first. */
  declare readonly urgent: boolean;
  declare payload: Readonly<Record<string, unknown>>;
  /** Derived from the payload. */
  declare readonly studentId: number | null;
  declare sourceType: string;
  declare sourceId: string;
  declare renderedTitleAr: string;
  declare renderedBodyAr: string;
  /** The tier of the filter that both texts have passed. */
  declare tier: Tier;
  /** Versions of the template and of the language rules. */
  declare ruleVersions: Readonly<Record<string, number>>;
  declare deliveryState: DeliveryState;
  /** The number of requests of one source with equal texts within a minute. */
  declare count: number;
  declare createdAt: string;
  declare readAt: string | null;
  declare dismissedAt: string | null;
}

/** A requested notification before its dispatch. */
export class NotificationRequest extends Row {
  static override tableName = 'notification_request';
  static override idColumn = ['organizationId', 'eventId', 'recipientUserId'];
  declare organizationId: string;
  declare eventId: number;
  declare recipientUserId: number;
  declare studentId: number | null;
}
