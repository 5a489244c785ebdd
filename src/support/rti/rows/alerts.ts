// Rows of alerts. The database allows one open alert of a student, and no change of a closed one.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { AlertState } from '../engine/alerts/alert.ts';
import type { DueStage } from '../engine/due/due-days.ts';
import type { AlertStateWord, CloseReason, RtiAlertKind, TierDecision } from '../engine/vocabulary.ts';

export class RtiAlert extends Row {
  static override tableName = 'rti_alert';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['opened', 'ruleVersions'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare kind: RtiAlertKind;
  /** 1 to 5. */
  declare severity: number;
  declare state: AlertStateWord;
  /** The rule that opened it. */
  declare ruleId: string;
  declare subSkillCode: string | null;
  declare domainCode: string | null;
  /** The snapshot that opened an acute alert; it opens no other. */
  declare acuteSnapshotId: number | null;
  declare acuteSignalId: string | null;
  /** The last time when the alert was opened. */
  declare openedAt: string;
  /** Local date, as are all `…On`. */
  declare openedOn: string;
  declare dueAt: string | null;
  /** The date from which the due days are counted; null under rules without due days. */
  declare dueFrom: string | null;
  /** Null unless open, and while something else is under way. */
  declare dueOn: string | null;
  /** The highest that has come; it stays when the alert is no longer open. */
  declare stage: DueStage;
  /** The highest that the teachers or principals were told. */
  declare toldStage: DueStage;
  /** Whether the administrators were told of the last stage. */
  declare adminsTold: boolean;
  declare acknowledgedAt: string | null;
  declare acknowledgedBy: number | null;
  declare dismissedAt: string | null;
  declare dismissedBy: number | null;
  declare dismissalCode: string | null;
  declare expiresOn: string | null;
  /** Whether the end of the dismissal was announced to the person who dismissed it. */
  declare expiryTold: boolean;
  declare closedAt: string | null;
  declare closedOn: string | null;
  declare closeReason: CloseReason | null;
  /** The decision that closed it. */
  declare closingDecision: TierDecision | null;
  /** The input of the evaluation that opened it. */
  declare opened: Readonly<Record<string, unknown>>;
  declare ruleVersions: Readonly<Record<string, number>>;
}

/** All alerts of these students, oldest first; what is quiet or spent follows from them. */
export async function alertsOf(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<RtiAlert[]> {
  return RtiAlert.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .orderBy(['studentId', 'openedAt', 'id']);
}

/** What has opened an acute alert opens no other, unless the alert rested on voided evidence. */
export function spentBy(alerts: readonly RtiAlert[], voided: ReadonlySet<string>) {
  const counted = alerts.filter(({ id, closeReason }) => closeReason !== 'evidence_voided' && !voided.has(id));
  return {
    snapshots: new Set(counted.flatMap(({ acuteSnapshotId }) => acuteSnapshotId ?? [])),
    signals: new Set(counted.flatMap(({ acuteSignalId }) => acuteSignalId ?? [])),
  };
}

export const alertState = (row: RtiAlert): AlertState => ({
  alertId: row.id,
  kind: row.kind,
  state: row.state,
  subSkillCode: row.subSkillCode,
  expiresOn: row.expiresOn,
  closedOn: row.closedOn,
  closedBy: row.closingDecision,
});
