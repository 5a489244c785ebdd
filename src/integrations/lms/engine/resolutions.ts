// Which resolutions a row of a preview accepts.
import type { Resolution, RowAction, RowEntity, RowReasonCode } from '../enums.ts';

export interface ResolvableRow {
  readonly entity: RowEntity;
  readonly action: RowAction;
  readonly reasonCode: RowReasonCode;
  /** The person has an account that can be linked. */
  readonly hasUser: boolean;
  /** The external id is the identity of an account already, of any persona or organization. */
  readonly hasIdentity: boolean;
}

const emailReasons: ReadonlySet<RowReasonCode> = new Set<RowReasonCode>([
  'email_belongs_to_other_persona',
  'ambiguous_email',
  'email_in_other_organization',
]);

/** Returns whether the row accepts the resolution. Null, which removes a resolution, is always accepted. */
export function mayResolve(row: ResolvableRow, resolution: Resolution | null): boolean {
  if (resolution === null) return true;
  if (row.action === 'skip') return false;
  if (resolution === 'skip_row') return true;
  if (row.action !== 'conflict') return resolution === 'accept_lms';
  if (resolution === 'keep_amal') return row.entity === 'enrollment' || row.hasUser;
  if (row.reasonCode === 'missing_email_and_id') return false;
  if (!emailReasons.has(row.reasonCode)) return true;
  return row.entity === 'student' && (row.hasUser || !row.hasIdentity);
}

export const isEmailReason = (reasonCode: RowReasonCode): boolean => emailReasons.has(reasonCode);
