// How each table would be distributed if the database grew beyond one server (Citus): by organization, replicated to
// every server, or on the coordinator alone. A table that is missing here fails a test, and so does a key that prevents
// the distribution.

export const distribution = {
  /** Distributed by `organization_id`: all rows of an organization are on one server. */
  distributed: [
    ...['school', 'class', 'app_user', 'user_search_key', 'class_teacher', 'principal_school', 'enrollment'],
    ...['parent_student', 'school_roll_over'],
    ...['auth_session', 'email_conflict', 'totp', 'totp_spent_code', 'totp_recovery_code'],
    ...['audit_entry', 'security_event', 'data_export', 'platform_alert', 'outbox', 'outbox_retry'],
    ...['diagnostic_session', 'diagnostic_served_item', 'diagnostic_response', 'diagnostic_event'],
    ...['diagnostic_estimate', 'practice_queue', 'practice_served_item', 'practice_response'],
    ...['warmup_session', 'warmup_item', 'warmup_event', 'orf_assessment', 'orf_mark'],
    ...['evidence_void', 'student_merge'],
    ...['cbm_probe', 'cbm_trend', 'cbm_alert', 'rbm_log', 'sub_flag_indicator', 'sub_flag_event'],
    ...['context_flag', 'context_flag_turn', 'context_flag_refusal'],
    ...['sse_run', 'sse_skill_snapshot', 'sse_domain_snapshot', 'sse_recompute_request'],
    ...['student_support', 'profile_assignment'],
    ...['bundle_assignment', 'bundle_delivery', 'bundle_absence', 'workflow_draft'],
    ...['fidelity_snapshot', 'fidelity_current', 'fidelity_request'],
    ...['cluster_generation'],
    ...['decision_packet', 'due_start', 'overdue_tally', 'plan_end_start'],
    ...['teaching_session', 'session_recipient', 'session_response', 'session_audit'],
    ...['live_session', 'live_playlist', 'live_participant', 'live_group', 'live_group_member'],
    ...['live_event', 'live_client_event', 'live_response', 'live_observation', 'live_segment'],
    ...['live_own_run', 'live_projector_run', 'live_projector_seat'],
    ...['tier_movement', 'rti_decision', 'rti_alert', 'rti_evaluation', 'rti_evaluation_request'],
    ...['skill_state', 'skill_state_cursor', 'skill_measurement'],
    ...['mastery_event', 'xp_transaction', 'student_badge', 'student_badge_rescind'],
    ...['reward_celebration', 'mastery_candidate'],
    ...['rule_job', 'rule_job_part', 'rule_replay_row'],
    ...['report_job', 'report_file', 'report_file_student'],
    ...['client_log', 'client_log_batch'],
    ...['alert_announcement', 'qa_audit'],
    ...['aggregate_release', 'aggregate_cell', 'aggregate_count'],
    ...['notification', 'notification_request'],
    ...['lms_connection', 'lms_mapping', 'lms_sync_run', 'lms_source_row', 'lms_turn'],
    ...['lms_preview', 'lms_preview_row', 'lms_staged_person', 'lms_staged_enrollment'],
    ...['lms_person', 'lms_enrollment', 'lms_erased_person', 'lms_change'],
    ...['org_rollup', 'org_daily_class', 'org_daily_rollup', 'rollup_request'],
  ],
  /** Small tables, or tables that are read before the organization is known. */
  reference: [
    ...['organization', 'rule_version', 'rule_bundle', 'rule_activation', 'profile_narrative'],
    ...['blueprint_batch', 'session_blueprint'],
    ...['sign_in_name', 'external_identity', 'quick_code', 'handoff_code', 'password_recovery', 'refresh_token'],
    ...['live_join_code', 'lms_oauth_state'],
  ],
  /** Tables of the backoffice, and tables for which the coordinator suffices. */
  local: [
    ...[
      'rule_change',
      'rule_change_document',
      'rule_change_approval',
      'rule_comment',
      'rule_schedule',
      'rule_schedule_end',
      'rule_attestation',
      'rule_engine_fallback',
      'benchmark_profile',
    ],
    ...['qa_audit_request'],
    ...['ledger_mark', 'ledger_segment', 'schedule', 'schedule_day'],
    ...['teaser_item_set', 'teaser_session', 'teaser_lead', 'teaser_start'],
    ...['attempt_window', 'google_state', 'idempotent_answer', 'rate_limit'],
    ...['stream_process', 'stream_place', 'process_report'],
    ...['knex_migrations', 'knex_migrations_lock', 'schema_version', 'context_key'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Placement = keyof typeof distribution;

export const placements: ReadonlyMap<string, Placement> = new Map(
  Object.entries(distribution).flatMap(([placement, tables]) =>
    tables.map((table) => [table, placement as Placement] as const),
  ),
);

export interface TableFacts {
  readonly name: string;
  /** Columns of each primary and unique key, in order. */
  readonly keys: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
  /** True when `organization_id` exists and is not nullable. */
  readonly hasOrganization: boolean;
  readonly isUnlogged: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly toColumns: readonly string[];
  /** In the syntax of `alter table … add constraint`. */
  readonly definition: string;
}

/** Returns why a table cannot be distributed as listed. */
export function refusalsOf({ name, keys, foreignKeys, hasOrganization, isUnlogged }: TableFacts): string[] {
  const placement = placements.get(name);
  if (placement === undefined) return [`${name} is in no list`];
  if (placement === 'local') return foreignKeys.flatMap((key) => lost(name, key));
  if (placement === 'reference') return isUnlogged ? [`${name} is unlogged`] : [];
  return [
    ...(hasOrganization ? [] : [`${name} has rows without an organization`]),
    ...(isUnlogged ? [`${name} is unlogged`] : []),
    ...keys
      .filter(([first]) => first !== 'organization_id')
      .map((columns) => `${name}: key (${columns}) does not begin with it`),
    ...foreignKeys.flatMap((key) => [...lost(name, key), ...astray(name, key)]),
  ];
}

/**
 * A foreign key that no server can enforce. Foreign keys of reference tables to distributed ones are dropped on
 * purpose.
 */
const lost = (table: string, { name, to }: ForeignKey): string[] =>
  placements.get(table) !== placements.get(to) && placements.get(to) !== 'reference'
    ? [`${table}: ${name} leads to ${to}, which lies elsewhere`]
    : [];

function astray(table: string, { name, to, columns, toColumns }: ForeignKey): string[] {
  if (placements.get(to) !== 'distributed') return [];
  const at = columns.indexOf('organization_id');
  return at >= 0 && toColumns[at] === 'organization_id' ? [] : [`${table}: ${name} does not carry the organization`];
}

/** True when a foreign key is created again after its tables were distributed. */
export const returns = (table: string, { to }: ForeignKey): boolean =>
  placements.get(to) === 'reference' || placements.get(table) === placements.get(to);

/** Drops foreign keys, distributes the tables, and creates foreign keys again. */
export function distributionStatements(tables: readonly TableFacts[]): string[] {
  const keys = tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => ({ table: name, key })));
  return [
    ...keys.map(({ table, key }) => `alter table ${table} drop constraint ${key.name}`),
    ...distribution.reference.map((table) => `select create_reference_table('${table}')`),
    ...distribution.distributed.map(
      (table) =>
        `select create_distributed_table('${table}', 'organization_id', colocate_with => '${table === 'school' ? 'default' : 'school'}')`,
    ),
    ...keys
      .filter(({ table, key }) => returns(table, key))
      .map(({ table, key }) => `alter table ${table} add constraint ${key.name} ${key.definition}`),
  ];
}
