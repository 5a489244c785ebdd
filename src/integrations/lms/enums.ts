// The enums of roster imports, as they are stored and served.

export const providers = ['google_classroom', 'oneroster'] as const;
export type Provider = (typeof providers)[number];

/** Returns the kind of external identity that links the people of the provider. */
export const identityOf = (provider: Provider): 'oneroster' | 'google' =>
  provider === 'oneroster' ? 'oneroster' : 'google';

export const providerOf = (identity: 'oneroster' | 'google'): Provider =>
  identity === 'oneroster' ? 'oneroster' : 'google_classroom';

export const connectionKinds = ['csv', 'rest', 'oauth'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

export const connectionStatuses = ['pending', 'active', 'revoked', 'disconnected'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

export const runTriggers = ['scheduled', 'manual', 'commit', 'revert'] as const;
export type RunTrigger = (typeof runTriggers)[number];

export const runStates = ['queued', 'running', 'succeeded', 'partial', 'error'] as const;
export type RunState = (typeof runStates)[number];

/** Why a run, or a request to a provider, failed. */
export const runErrors = [
  'provider_unauthorized',
  'provider_forbidden',
  'grant_revoked',
  'provider_unavailable',
  'provider_rate_limited',
  'provider_protocol',
  'provider_configuration',
  'drift',
  'internal',
] as const;
export type RunError = (typeof runErrors)[number];

/** `expired` follows from the clock and is not stored. */
export const previewStates = ['building', 'ready', 'failed', 'committed'] as const;
export type PreviewState = (typeof previewStates)[number] | 'expired';

export const rowEntities = ['student', 'teacher', 'enrollment', 'guardian'] as const;
export type RowEntity = (typeof rowEntities)[number];

export const rowActions = ['create', 'update', 'conflict', 'skip'] as const;
export type RowAction = (typeof rowActions)[number];

/** In order of precedence: a row has the first reason that applies. */
const conflictReasons = [
  'email_belongs_to_other_persona',
  'ambiguous_email',
  'email_in_other_organization',
  'missing_email_and_id',
  'local_newer',
  'identity_changed',
  'two_classes',
  'class_grade_mismatch',
  'would_orphan_last_teacher',
  'mass_deactivation',
  'mass_rename',
  'mass_removal',
] as const;
export type ConflictReason = (typeof conflictReasons)[number];

export const rowReasonCodes = [
  ...conflictReasons,
  'new_person',
  'new_enrollment',
  'changed',
  'moved',
  'ended',
  'unchanged',
  'kept_local',
  'inactive_at_source',
  'role_not_imported',
  'unresolved_reference',
  'bad_value',
  'erased_person',
  'depends_on_other_row',
] as const;
export type RowReasonCode = (typeof rowReasonCodes)[number];

/** Rows that are skipped for these reasons still update the baseline for the next import. */
export const reasonsWithBaselineUpdate: readonly RowReasonCode[] = [
  'unchanged',
  'kept_local',
  'depends_on_other_row',
  'inactive_at_source',
];

export const resolutions = ['accept_lms', 'keep_amal', 'skip_row'] as const;
export type Resolution = (typeof resolutions)[number];
