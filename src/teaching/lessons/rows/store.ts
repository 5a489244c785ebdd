// The rows of blueprint sessions. Whoever changes one, or says whom it is for, holds the lock of its row.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import type { DeliveryMode, RecipientQuestion, ScaffoldTier } from '#support/interventions/index.ts';
import type { RecipientState, SessionState } from '../enums.ts';

export class SessionRow extends Row {
  static override tableName = 'teaching_session';
  static override idColumn = ['organizationId', 'id'];
  declare id: string;
  declare organizationId: string;
  declare classId: number;
  /** In which it was made: its answers lie there. */
  declare schoolYear: string;
  declare blueprintId: string;
  declare blueprintVersion: number;
  declare bundleId: string;
  declare stepNo: number;
  declare sessionRole: string;
  /** Null: for whatever support a student needs. */
  declare scaffoldTier: ScaffoldTier | null;
  /** Of all segments together. */
  declare plannedMinutes: number;
  declare deliveryMode: DeliveryMode;
  declare state: SessionState;
  /** Local date, as is `deliveredOn`. */
  declare scheduledOn: string | null;
  /** Of items that the blueprint has and the session has not. */
  declare removedItemRefs: string[];
  /** Numbers of the blueprint's segments, in the order of the session. */
  declare segmentOrder: number[];
  declare distributedAt: string | null;
  declare deliveredOn: string | null;
  declare cancelReasonCode: string | null;
  /** When it was delivered or cancelled. */
  declare closedAt: string | null;
  declare createdBy: number;
  declare createdAt: string;
}

export class SessionRecipient extends Row {
  static override tableName = 'session_recipient';
  static override jsonAttributes = ['facts'];
  static override idColumn = ['organizationId', 'sessionId', 'studentId'];
  declare organizationId: string;
  declare sessionId: string;
  declare studentId: number;
  declare state: RecipientState;
  /** Null where no rule was asked: the student has left the class. */
  declare ruleId: string | null;
  /** `bundle/session-recipient@1` */
  declare ruleVersion: string | null;
  /** What the rules were asked; null where none was. */
  declare facts: RecipientQuestion | null;
  /** Why not, or what a person has lifted; null where nothing stood against it. */
  declare reasonCode: string | null;
  /** With which a person included the student all the same. */
  declare overrideCode: string | null;
  /** Null until the session was given. */
  declare present: boolean | null;
  declare decidedAt: string;
}

export const findSession = async (
  trx: Trx,
  organizationId: string,
  sessionId: string,
): Promise<SessionRow | undefined> => SessionRow.query(trx).findOne({ organizationId, id: sessionId });

/** As it is under the lock, until the transaction ends. `share`: it stays as it is, and others may say the same. */
export async function lockSession(
  trx: Trx,
  { organizationId, id }: Pick<SessionRow, 'organizationId' | 'id'>,
  mode: Extract<RowMode, 'share' | 'change'> = 'change',
): Promise<SessionRow> {
  const row = await lockRows('blueprintSession', mode, SessionRow.query(trx).findOne({ organizationId, id }));
  if (!row) throw notFound();
  return row;
}

export const recipientsOf = async (
  trx: Trx,
  { organizationId, id }: Pick<SessionRow, 'organizationId' | 'id'>,
): Promise<SessionRecipient[]> =>
  SessionRecipient.query(trx).where({ organizationId, sessionId: id }).orderBy('studentId');

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

/** In one statement: what was decided of them before is replaced. */
export async function saveRecipients(
  trx: Trx,
  recipients: readonly Omit<SessionRecipient, keyof Row>[],
): Promise<void> {
  if (recipients.length === 0) return;
  await SessionRecipient.query(trx)
    .insert([...recipients])
    .onConflict(['organization_id', 'session_id', 'student_id'])
    .merge(decidedColumns);
}

export const includedIds = (recipients: readonly SessionRecipient[]): number[] =>
  recipients.filter(({ state }) => state === 'included').map(({ studentId }) => studentId);

export type SessionChange = Partial<
  Pick<
    SessionRow,
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
