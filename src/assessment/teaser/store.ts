// The rows of the teaser.
import { Row } from '#core/platform/model.ts';
import type { TeaserBand } from './engine/values.ts';
import type { itemSetStatuses, teaserStatuses } from './enums.ts';

export class TeaserItemSet extends Row {
  static override tableName = 'teaser_item_set';
  declare id: string;
  declare grade: number;
  declare subSkillId: string;
  /** Version of the content file of its items. */
  declare version: number;
  declare status: (typeof itemSetStatuses)[number];
  declare itemIds: string[];
}

export class TeaserSession extends Row {
  static override tableName = 'teaser_session';
  static override jsonAttributes = ['responses'];
  declare id: string;
  declare itemSetId: string;
  declare itemSetVersion: number;
  declare itemIds: string[];
  declare ruleVersion: string;
  declare source: string | null;
  declare tokenHash: string;
  declare status: (typeof teaserStatuses)[number];
  declare startedAt: string;
  declare completedAt: string | null;
  /** Item id → chosen option. */
  declare responses: Record<string, number> | null;
  declare theta: number | null;
  declare band: TeaserBand | null;
}

export class TeaserLead extends Row {
  static override tableName = 'teaser_lead';
  static override idColumn = 'sessionId';
  declare sessionId: string;
  declare email: string | null;
  declare whatsapp: string | null;
  declare source: string | null;
  declare createdAt: string;
  declare updatedAt: string;
}

/** A start of the teaser from an address, which is counted. */
export class TeaserStart extends Row {
  static override tableName = 'teaser_start';
  declare id: number;
  declare addressHash: string;
  declare startedAt: string;
}
