// The rows of voids. A row that is restored stays; a later void of the same evidence is another row.
import { Row } from '#core/platform/model.ts';
import type { voidReasons } from '../enums.ts';
import type { EvidenceKind } from '../evidence/engine/corrections.ts';

export type VoidReason = (typeof voidReasons)[number];

export class EvidenceVoid extends Row {
  static override tableName = 'evidence_void';
  static override idColumn = ['organizationId', 'id'];
  declare id: number;
  declare organizationId: string;
  /** The account with which the evidence was taken. */
  declare studentId: number;
  declare kind: EvidenceKind;
  declare refId: string;
  declare reasonCode: VoidReason;
  declare at: string;
  declare byUserId: number;
  declare restoredAt: string | null;
  declare restoredByUserId: number | null;
}
