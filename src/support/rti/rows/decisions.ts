// Rows of decisions, which are append-only.

import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { SupportTier } from '../../interventions/index.ts';
import type { EffectiveReason, TierDecision } from '../engine/vocabulary.ts';

export class RtiDecision extends Row {
  static override tableName = 'rti_decision';
  static override idColumn = ['organizationId', 'id', 'schoolYear'];
  static override jsonAttributes = ['recommendation', 'facts', 'ruleVersions'];
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare studentId: number;
  /** Null for the decision of a packet. */
  declare recommendationId: string | null;
  declare decision: TierDecision;
  declare recommendedDecision: TierDecision;
  declare fromTier: SupportTier;
  declare toTier: SupportTier;
  /** Null when the tier is unchanged. */
  declare movementId: number | null;
  declare overrideCode: string | null;
  /** Local date. */
  declare effectiveOn: string;
  /** Null unless the tier began before it was decided. */
  declare effectiveReason: EffectiveReason | null;
  declare committedAt: string;
  /** User id. */
  declare decidedBy: number;
  declare packetId: string | null;
  declare closedAlertId: string | null;
  /** The response at that moment. */
  declare recommendation: Readonly<Record<string, unknown>>;
  /** The input of the recommendation, from which it can be replayed. */
  declare facts: Readonly<Record<string, unknown>>;
  declare ruleVersions: Readonly<Record<string, number>>;
  /** In order of commitment. */
  declare seq: number;
}

/** Without the columns that the database sets. */
export type NewDecision = Pick<
  RtiDecision,
  | 'id'
  | 'organizationId'
  | 'schoolYear'
  | 'studentId'
  | 'recommendationId'
  | 'decision'
  | 'recommendedDecision'
  | 'fromTier'
  | 'toTier'
  | 'movementId'
  | 'overrideCode'
  | 'effectiveOn'
  | 'effectiveReason'
  | 'committedAt'
  | 'decidedBy'
  | 'packetId'
  | 'closedAlertId'
> & {
  readonly recommendation: object;
  readonly facts: object;
  readonly ruleVersions: Readonly<Record<string, number>>;
};

/** The single writer of decisions, also of those of packets. The caller holds the lock of the student's support. */
export async function appendDecision(trx: Trx, decision: NewDecision): Promise<RtiDecision> {
  return RtiDecision.query(trx).insertAndFetch({ ...decision } as Partial<RtiDecision>);
}

export type LastDecision = Pick<RtiDecision, 'id' | 'decision' | 'effectiveOn' | 'committedAt'>;

/** By time of commitment, decisions of packets included; a student without a decision is absent. */
export async function newestDecisions(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, LastDecision>> {
  const rows = await rowsOf<LastDecision & { readonly studentId: number }>(
    trx,
    `select t.student_id, d.id, d.decision, d.effective_on, d.committed_at
     from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select d.id, d.decision, d.effective_on, d.committed_at from rti_decision d
       where d.organization_id = :organizationId and d.student_id = t.student_id
       order by d.committed_at desc, d.seq desc limit 1) d`,
    { organizationId, studentIds: [...studentIds] },
    keptPlan,
  );
  return new Map(rows.map(({ studentId, ...decision }) => [studentId, decision]));
}
