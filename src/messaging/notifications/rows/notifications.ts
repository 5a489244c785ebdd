// The rows of notifications: stored as they were rendered, never rendered again. What may change is what the recipient does.

import { Row } from '#core/platform/model.ts';
import type { Tier } from '#rules/language/index.ts';
import type { DeliveryState, Severity } from '../enums.ts';

export class Notification extends Row {
  static override tableName = 'notification';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['payload', 'ruleVersions'];
  declare organizationId: string;
  declare id: string;
  declare recipientUserId: number;
  /** As it stands on the wire. */
  declare kind: string;
  declare severity: Severity;
  /** Follows from the severity: an inbox begins with these. */
  declare readonly urgent: boolean;
  declare payload: Readonly<Record<string, unknown>>;
  /** Follows from the payload. */
  declare readonly studentId: number | null;
  declare sourceType: string;
  declare sourceId: string;
  declare renderedTitleAr: string;
  declare renderedBodyAr: string;
  /** Of the filter that both texts have passed. */
  declare tier: Tier;
  /** Of the template and of the language rules. */
  declare ruleVersions: Readonly<Record<string, number>>;
  declare deliveryState: DeliveryState;
  /** Requests of the same source, said in the same words within a minute. */
  declare count: number;
  declare createdAt: string;
  declare readAt: string | null;
  declare dismissedAt: string | null;
}
