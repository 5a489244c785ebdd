// The rows of decisions. One is only ever added; none changes.
import type { SupportTier } from '../../interventions/index.ts';
import type { Trx } from '../../platform/db.ts';
import { Row } from '../../platform/model.ts';
import type { TierDecision } from '../engine/vocabulary.ts';

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
  /** Null where the tier stays. */
  declare movementId: number | null;
  declare overrideCode: string | null;
  /** Local date. */
  declare effectiveOn: string;
  declare committedAt: string;
  /** User id. */
  declare decidedBy: number;
  declare packetId: string | null;
  declare closedAlertId: string | null;
  /** As it was answered at that moment. */
  declare recommendation: Readonly<Record<string, unknown>>;
  /** What it was made from; it can be made again. */
  declare facts: Readonly<Record<string, unknown>>;
  declare ruleVersions: Readonly<Record<string, number>>;
  /** In the order of committing. */
  declare seq: number;
}

/** Without what the database gives. */
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
  | 'committedAt'
  | 'decidedBy'
  | 'packetId'
  | 'closedAlertId'
> & {
  readonly recommendation: object;
  readonly facts: object;
  readonly ruleVersions: Readonly<Record<string, number>>;
};

/** The one door of decisions: those of packets come through it too. Under the lock of the student's support. */
export async function appendDecision(trx: Trx, decision: NewDecision): Promise<RtiDecision> {
  return RtiDecision.query(trx).insertAndFetch({ ...decision } as Partial<RtiDecision>);
}
