// Rows of movements between tiers, appended by `moveTier` alone. The database refuses one that does not start at the tier of
// the newest.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { SupportTier } from '../../interventions/index.ts';
import type { MovementSource } from '../enums.ts';

export interface TierMovement {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly studentId: number;
  readonly fromTier: SupportTier;
  readonly toTier: SupportTier;
  /** Local date. */
  readonly effectiveOn: string;
  readonly sourceType: MovementSource;
  readonly sourceId: string;
  /** User id. */
  readonly decidedBy: number;
  /** ISO 8601 instant. */
  readonly committedAt: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export const StoredTierMovement = modelOf<TierMovement>('tier_movement', {
  id: ['organizationId', 'id', 'schoolYear'],
  json: ['ruleVersions'],
});

/** A student without a movement is absent. */
export async function newestMovements(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, TierMovement>> {
  const rows = await rowsOf<TierMovement>(
    trx,
    `select distinct on (m.student_id) m.id, m.organization_id, m.school_year, m.student_id, m.from_tier, m.to_tier,
       m.effective_on, m.source_type, m.source_id, m.decided_by, m.committed_at, m.rule_versions
     from tier_movement m
     where m.organization_id = :organizationId and m.student_id = any(:studentIds::bigint[])
     order by m.student_id, m.id desc`,
    { organizationId, studentIds: [...studentIds] },
    keptPlan,
  );
  return new Map(rows.map((row) => [row.studentId, row]));
}

/** All movements of one student, in order of commitment. */
export const tierMovementsOf = (
  trx: Trx,
  organizationId: string,
  studentId: number,
): Promise<Pick<TierMovement, 'toTier' | 'effectiveOn'>[]> =>
  rowsOf(
    trx,
    `select to_tier, effective_on from tier_movement
     where organization_id = :organizationId and student_id = :studentId order by id`,
    { organizationId, studentId },
  );
