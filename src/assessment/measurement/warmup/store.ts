// The rows of a warm-up.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { warmupTypes } from '../enums.ts';
import type { WarmupEventRow, WarmupStatus } from './engine/course.ts';
import type { PlanFacts } from './engine/plan.ts';

export type WarmupType = (typeof warmupTypes)[number];

/** The inputs of the plan, from which it can be replayed. */
export interface PinnedPlan extends PlanFacts {
  /** `scoring/measurement@1` */
  readonly rulesVersion: string;
  /** `content/item-bank@1` */
  readonly bankVersion: string;
}

export class WarmupSession extends Row {
  static override tableName = 'warmup_session';
  static override jsonAttributes = ['pinned'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare sessionType: WarmupType;
  declare status: WarmupStatus;
  declare schoolYear: string;
  declare pinned: PinnedPlan;
  declare startedAt: string;
  /** Until when it can be resumed. */
  declare expiresAt: string;
  declare completedAt: string | null;
  declare answered: number | null;
  declare runningMs: number | null;
  declare lastAtMs: number | null;
}

export class WarmupItem extends Row {
  static override tableName = 'warmup_item';
  /** Id of the served item. */
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  declare seq: number;
  declare itemId: string;
  declare itemVersion: number;
  declare subSkillCode: string;
  declare difficultyLogit: number;
}

export class WarmupEvent extends Row {
  static override tableName = 'warmup_event';
  declare id: number;
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  /** Null for a resume by the service. */
  declare seq: number | null;
  declare type: WarmupEventRow['type'];
  declare atMs: number | null;
  declare itemId: string | null;
  declare selectedOptionIndex: number | null;
  declare correct: boolean | null;
  declare receivedAt: string;
}

export const loadItems = async (trx: Trx, sessionId: string): Promise<WarmupItem[]> =>
  WarmupItem.query(trx).where({ sessionId }).orderBy('seq');

/** Returns the events in receiving order. */
export const loadEvents = async (trx: Trx, sessionId: string): Promise<WarmupEvent[]> =>
  WarmupEvent.query(trx).where({ sessionId }).orderBy('id');

export const eventRow = ({ seq, type, atMs, itemId, receivedAt }: WarmupEvent): WarmupEventRow => ({
  seq,
  type,
  atMs,
  itemId,
  receivedMs: Date.parse(receivedAt),
});
