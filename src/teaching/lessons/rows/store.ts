// Models of lessons and recipients. Every change of a lesson or its recipients requires the lock of the lesson's row.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { SessionMinutesReader } from '#support/fidelity/index.ts';
import type { DeliveryMode, RecipientQuestion, ScaffoldTier } from '#support/interventions/index.ts';
import type { LessonState, RecipientState } from '../enums.ts';

export class LessonRow extends Row {
  static override tableName = 'teaching_session';
  static override idColumn = ['organizationId', 'id'];
  declare id: string;
  declare organizationId: string;
  declare classId: number;
  /** The school year of creation, which is the partition of the answers. */
  declare schoolYear: string;
  declare blueprintId: string;
  declare blueprintVersion: number;
  declare bundleId: string;
  declare stepNo: number;
  declare sessionRole: string;
  /** Null when the blueprint fits every scaffold tier. */
  declare scaffoldTier: ScaffoldTier | null;
  /** The sum over all segments. */
  declare plannedMinutes: number;
  declare deliveryMode: DeliveryMode;
  declare state: LessonState;
  /** Local date, as is `deliveredOn`. */
  declare scheduledOn: string | null;
  /** Items of the blueprint that were removed from the lesson. */
  declare removedItemRefs: string[];
  /** Numbers of the blueprint's segments, in the order of the lesson. */
  declare segmentOrder: number[];
  declare distributedAt: string | null;
  declare deliveredOn: string | null;
  declare cancelReasonCode: string | null;
  /** When it was delivered or cancelled. */
  declare closedAt: string | null;
  declare createdBy: number;
  declare createdAt: string;
}

export class LessonRecipient extends Row {
  static override tableName = 'session_recipient';
  static override jsonAttributes = ['facts'];
  static override idColumn = ['organizationId', 'sessionId', 'studentId'];
  declare organizationId: string;
  declare sessionId: string;
  declare studentId: number;
  declare state: RecipientState;
  /** Null when no rule was evaluated because the student left the class. */
  declare ruleId: string | null;
  /** `bundle/session-recipient@1` */
  declare ruleVersion: string | null;
  /** The input of the rules; null when none was evaluated. */
  declare facts: RecipientQuestion | null;
  /** The reason of the exclusion, also when it was overridden; null when there was none. */
  declare reasonCode: string | null;
  /** The reason with which a person overrode a soft exclusion. */
  declare overrideCode: string | null;
  /** Null until the delivery. */
  declare present: boolean | null;
  declare decidedAt: string;
}

export const findLesson = async (trx: Trx, organizationId: string, sessionId: string): Promise<LessonRow | undefined> =>
  LessonRow.query(trx).findOne({ organizationId, id: sessionId });

/** Locks the lesson until the transaction ends and returns it. `share` prevents changes without excluding other readers. */
export async function lockLesson(
  trx: Trx,
  { organizationId, id }: Pick<LessonRow, 'organizationId' | 'id'>,
  mode: Extract<RowMode, 'share' | 'change'> = 'change',
): Promise<LessonRow> {
  const row = await lockRows('blueprintSession', mode, LessonRow.query(trx).findOne({ organizationId, id }));
  if (!row) throw notFound();
  return row;
}

export const recipientsOf = async (
  trx: Trx,
  { organizationId, id }: Pick<LessonRow, 'organizationId' | 'id'>,
): Promise<LessonRecipient[]> =>
  LessonRecipient.query(trx).where({ organizationId, sessionId: id }).orderBy('studentId');

const decidedColumns = [
  'state',
  'rule_id',
  'rule_version',
  'facts',
  'reason_code',
  'override_code',
  'present',
  'decided_at',
];

/** Inserts or replaces recipients in one statement. */
export async function saveRecipients(trx: Trx, recipients: readonly Omit<LessonRecipient, keyof Row>[]): Promise<void> {
  if (recipients.length === 0) return;
  await LessonRecipient.query(trx)
    .insert([...recipients])
    .onConflict(['organization_id', 'session_id', 'student_id'])
    .merge(decidedColumns);
}

export const includedIds = (recipients: readonly LessonRecipient[]): number[] =>
  recipients.filter(({ state }) => state === 'included').map(({ studentId }) => studentId);

export type LessonChange = Partial<
  Pick<
    LessonRow,
    | 'deliveryMode'
    | 'state'
    | 'scheduledOn'
    | 'removedItemRefs'
    | 'segmentOrder'
    | 'distributedAt'
    | 'deliveredOn'
    | 'cancelReasonCode'
    | 'closedAt'
  >
>;

/** Reads planned minutes of lessons. The taught minutes are known to live lessons only. */
export const plannedMinutes: SessionMinutesReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; plannedMinutes: number }>(
    trx,
    `select id, planned_minutes from teaching_session
     where organization_id = :organizationId and id = any(:sessionIds::text[])`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(rows.map((row) => [row.id, { plannedMinutes: row.plannedMinutes, taughtMinutes: null }]));
};
