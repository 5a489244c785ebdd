// The closed catalogue: every check that the service ships, how it is looked for and what a finding is about. The rule document
// `qa/checks` says how grave each is, when it begins to count and whether it is on.

export const checkKinds = ['runtime', 'audit'] as const;
export type CheckKind = (typeof checkKinds)[number];

export const catalogue = {
  STATUS_WITHOUT_RULE_VERSION: { kind: 'audit', subject: 'skill_snapshot', probe: 'status_without_rule_version' },
  STATUS_BELOW_MINIMUM: { kind: 'audit', subject: 'skill_snapshot', probe: 'status_below_minimum' },
  STATUS_OUTSIDE_VOCABULARY: { kind: 'audit', subject: 'skill_snapshot', probe: 'status_outside_vocabulary' },
  RULE_CHECKSUM_DIFFERS: { kind: 'audit', subject: 'rule_version', probe: 'rule_checksum_differs' },
  RULE_PIN_UNPUBLISHED: { kind: 'audit', subject: 'rule_bundle', probe: 'rule_pin_unpublished' },
  ORACLE_MISMATCH: { kind: 'runtime', subject: 'rule_document', probe: 'oracle_mismatch' },
  REPLAY_MISMATCH: { kind: 'runtime', subject: 'replay', probe: 'replay_mismatch' },
  ATTESTATION_BROKEN: { kind: 'audit', subject: 'attestation', probe: 'attestation_broken' },
  RULE_SCHEDULE_REFUSED: { kind: 'runtime', subject: 'rule_schedule', probe: 'rule_schedule_refused' },
  OUTBOX_STUCK: { kind: 'runtime', subject: 'event', probe: 'outbox_stuck' },
  OUTBOX_PARKED: { kind: 'runtime', subject: 'event', probe: 'outbox_parked' },
  RECOMPUTE_STUCK: { kind: 'runtime', subject: 'student', probe: 'recompute_stuck' },
  QUEUE_STALLED: { kind: 'runtime', subject: 'queue', probe: 'queue_stalled' },
  SCHEDULE_OVERDUE: { kind: 'runtime', subject: 'schedule', probe: 'schedule_overdue' },
  TENANT_MISMATCH: { kind: 'audit', subject: 'row', probe: 'tenant_mismatch' },
  TWO_OPEN_ENROLLMENTS: { kind: 'audit', subject: 'student', probe: 'two_open_enrollments' },
  CLASS_WITHOUT_TEACHER: { kind: 'audit', subject: 'class', probe: 'class_without_teacher' },
  SESSION_PAST_EXPIRY: { kind: 'audit', subject: 'session', probe: 'session_past_expiry' },
  MASTERY_DURING_HALT: { kind: 'runtime', subject: 'mastery_event', probe: 'mastery_during_halt' },
  XP_WITHOUT_EVENT: { kind: 'audit', subject: 'xp_transaction', probe: 'xp_without_event' },
  XP_ABOVE_CAP: { kind: 'audit', subject: 'session', probe: 'xp_above_cap' },
  ASSIGNMENT_FOR_EXCLUDED: { kind: 'runtime', subject: 'assignment', probe: 'assignment_for_excluded' },
  TWO_OPEN_ALERTS: { kind: 'runtime', subject: 'student', probe: 'two_open_alerts' },
  TIER_MOVE_WITHOUT_PACKET: { kind: 'audit', subject: 'tier_movement', probe: 'tier_move_without_packet' },
  PARENT_STRING_UNSAFE: { kind: 'runtime', subject: 'text', probe: 'parent_string_unsafe' },
  PARENT_RESPONSE_OUTSIDE_SCHEMA: { kind: 'runtime', subject: 'operation', probe: 'parent_response_outside_schema' },
  LANGUAGE_UNSAFE: { kind: 'runtime', subject: 'event', probe: 'language_unsafe' },
  NOTIFICATION_REFUSED: { kind: 'runtime', subject: 'event', probe: 'notification_refused' },
  NOTIFICATION_MISSING: { kind: 'runtime', subject: 'event', probe: 'notification_missing' },
  RETENTION_OVERDUE: { kind: 'audit', subject: 'table', probe: 'retention_overdue' },
  AGGREGATE_CELL_SMALL: { kind: 'audit', subject: 'release', probe: 'aggregate_cell_small' },
  AGGREGATE_PUBLISHED_TWICE: { kind: 'audit', subject: 'unit', probe: 'aggregate_published_twice' },
  LMS_PREVIEW_PAST_EXPIRY: { kind: 'audit', subject: 'lms_preview', probe: 'lms_preview_past_expiry' },
  LMS_RUN_STUCK: { kind: 'runtime', subject: 'lms_connection', probe: 'lms_run_stuck' },
  LMS_TOKEN_AFTER_END: { kind: 'audit', subject: 'lms_connection', probe: 'lms_token_after_end' },
  LMS_TOKEN_UNREADABLE: { kind: 'runtime', subject: 'lms_connection', probe: 'lms_token_unreadable' },
} as const satisfies Readonly<
  Record<string, { readonly kind: CheckKind; readonly subject: string; readonly probe: string }>
>;

export type QaCheckId = keyof typeof catalogue;
export const checkIds = Object.keys(catalogue) as readonly QaCheckId[];
