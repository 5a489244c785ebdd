// The tables of previews and of their rows.
import type { Trx } from '#core/platform/db.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import type { FieldChange, LocalPerson } from '../engine/people.ts';
import type { PreviewState, Provider, Resolution, RowAction, RowEntity, RowReasonCode, RunError } from '../enums.ts';

export interface PreviewSummary {
  readonly create: number;
  readonly update: number;
  readonly conflict: number;
  readonly skip: number;
}

export interface PreviewWarning {
  readonly code: 'course_gone' | 'course_forbidden' | 'empty_roster' | 'rows_skipped';
  readonly courseExternalId?: string;
  readonly count?: number;
}

export interface CommitAnswer {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly conflicts_remaining: 0;
}

export class LmsPreview extends Row {
  static override tableName = 'lms_preview';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['courseExternalIds', 'warnings', 'summary', 'answer'];
  declare organizationId: string;
  declare id: string;
  declare connectionId: string;
  declare provider: Provider;
  declare state: Exclude<PreviewState, 'expired'>;
  declare courseExternalIds: string[];
  /** The sync run that the preview belongs to. */
  declare runId: string | null;
  declare createdBy: number;
  declare createdAt: string;
  declare expiresAt: string;
  declare warnings: PreviewWarning[];
  declare summary: PreviewSummary;
  declare errorCode: RunError | null;
  declare committedAt: string | null;
  /** The result of the commit. It never changes. */
  declare answer: CommitAnswer | null;
  /** Increases with each claim of the lease. */
  declare token: number;
  /** How often building the preview was started. */
  declare attempts: number;
}

/** The values of a person's row that a commit needs. */
export interface PersonRowFacts {
  /** The account when the preview was built. */
  readonly seen: LocalPerson | null;
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly active: boolean;
  readonly childExternalIds: readonly string[];
  /** The external id is the identity of an account already, of any persona or organization. */
  readonly hasIdentity: boolean;
  /** The name has no word in common with that of the last import. */
  readonly isRenamed: boolean;
  /** The baseline differs from the values of the source, or the link is still that of a first sign-in. */
  readonly isStale: boolean;
}

/** The values of an enrollment's row that a commit needs. */
export interface EnrollmentRowFacts {
  readonly courseExternalId: string;
  readonly role: string;
  readonly primary: boolean;
  readonly isOpen: boolean;
  /** The class of the course, or null when it is archived or the course has none any more. */
  readonly classId: number | null;
  readonly classGrade: number | null;
  /** The current class of the student, or the class that the teacher taught, when the preview was built. */
  readonly localClassId: number | null;
  readonly isStale: boolean;
  /** The row updates the baseline only together with the row that enrolls the person. */
  readonly followsPlacing: boolean;
}

export class LmsPreviewRow extends Row {
  static override tableName = 'lms_preview_row';
  static override idColumn = ['organizationId', 'previewId', 'position'];
  static override jsonAttributes = ['external', 'local', 'changes', 'facts'];
  declare organizationId: string;
  declare previewId: string;
  declare position: number;
  declare id: string;
  declare entity: RowEntity;
  declare action: RowAction;
  declare reasonCode: RowReasonCode;
  declare personExternalId: string;
  declare userId: number | null;
  declare external: Readonly<Record<string, unknown>>;
  declare local: Readonly<Record<string, unknown>> | null;
  declare changes: readonly FieldChange[];
  declare facts: PersonRowFacts | EnrollmentRowFacts;
  declare resolution: Resolution | null;
}

export interface PreviewKey {
  readonly organizationId: string;
  readonly id: string;
}

export const lockPreview = async (
  trx: Trx,
  { organizationId, id }: PreviewKey,
  mode: RowMode = 'change',
): Promise<LmsPreview | undefined> =>
  lockRows('lmsPreview', mode, LmsPreview.query(trx).findOne({ organizationId, id }));

export const previewStateAt = ({ state, expiresAt }: LmsPreview, now: Date): PreviewState =>
  state !== 'committed' && state !== 'failed' && new Date(expiresAt) <= now ? 'expired' : state;
